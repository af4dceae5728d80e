/** The console examples that need real harnesses: blocks that are marked `console lab`. */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeExamples } from '../commands/examples.ts'
import { labHarnesses, runnable } from './lab.ts'

const programs = mkdtempSync(join(tmpdir(), 'troupe-programs-'))
for (const id of labHarnesses()) {
  const { oracle, program } = runnable(id)
  symlinkSync(program, join(programs, oracle.program.name))
}
afterAll(() => rmSync(programs, { recursive: true, force: true }))

for (const path of ['test/lab/verify.md', 'test/lab/wire.md', 'test/lab/keep.md', 'docs/tour.md', 'docs/work.md']) {
  describeExamples(path, 'console lab', programs)
}
