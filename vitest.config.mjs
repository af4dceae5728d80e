import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The real harnesses have a run of their own.
    exclude: ['test/lab/**'],
    globalSetup: ['test/setup.mjs'],
    setupFiles: ['test/chance.ts'],
    // Machines are noisy: a limit is for what hangs, not for what is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
