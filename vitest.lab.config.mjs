import { defineConfig } from 'vitest/config'

/** The real harnesses: `npm run lab`; `LAB=opencode npm run lab` for some of them. */
export default defineConfig({
  test: {
    include: ['test/lab/**/*.test.ts'],
    // A team needs all of them.
    exclude: process.env.LAB === undefined ? [] : ['test/lab/work*.test.ts'],
    globalSetup: ['test/setup.mjs'],
    // Machines are noisy: a limit is for what hangs, not for what is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    // Not every harness has a part in every file.
    passWithNoTests: process.env.LAB !== undefined,
    // Of tests that may run beside each other, as many as small machines have cores.
    maxConcurrency: 2,
  },
})
