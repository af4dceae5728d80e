import { defineConfig } from 'vitest/config'
import { tiers } from './test/tiers.mjs'

const { disk, ...others } = tiers
const elsewhere = Object.values(others).flatMap(({ files }) => files)

const common = {
  globalSetup: ['test/setup.mjs'],
  setupFiles: ['test/chance.ts'],
  // Machines are noisy: a limit is for what hangs, not for what is slow.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

/** One project per tier: `npm run test:unit -- access`, `npx vitest --project unit access` to watch. */
export default defineConfig({
  test: {
    // Of tests that may run beside each other, as many as small machines have cores.
    maxConcurrency: 2,
    maxWorkers: '100%',
    projects: Object.entries(tiers).map(([name, { files }]) => ({
      test: {
        ...common,
        name,
        include: files,
        exclude: name === 'disk' ? elsewhere : [],
        // Pure code leaves nothing behind that another test could see.
        isolate: name !== 'unit' && name !== 'properties',
        ...(name === 'lab' && {
          // Real programs on a busy machine take minutes.
          testTimeout: 400_000,
          // One harness at a time, and a team needs all of them.
          fileParallelism: false,
          exclude: process.env.LAB === undefined ? [] : ['test/lab/work*.test.ts'],
          // Not every harness has a part in every file.
          passWithNoTests: process.env.LAB !== undefined,
        }),
      },
    })),
  },
})
