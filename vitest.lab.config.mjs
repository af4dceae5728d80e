import { defineConfig } from 'vitest/config'

/** The real harnesses: `npm run lab`; `LAB=opencode npm run lab` for some of them. */
export default defineConfig({
  test: {
    include: ['test/lab/**/*.test.ts'],
    globalSetup: ['test/setup.mjs'],
    fileParallelism: false,
  },
})
