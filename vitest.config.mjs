import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The real harnesses have a run of their own.
    exclude: ['test/lab/**'],
    globalSetup: ['test/setup.mjs'],
  },
})
