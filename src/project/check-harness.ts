/** A harness file of the user that is being written: its mistakes, and how it does on sample agents. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { showPath } from '../disk/roots.ts'
import type { Registry } from '../harness/registry.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { type HarnessTrial, type Sample, tryHarness } from '../workbench/try-harness.ts'
import { readTextFile } from './read-text.ts'
import { readHarnessFile } from './user-harnesses.ts'

export interface HarnessCheck {
  /** Null: the file has mistakes. */
  readonly id: string | null
  readonly title: string | null
  /** Mistakes in the harness file. */
  readonly problems: readonly Diagnostic[]
  /** Null: it was not tried. */
  readonly trial: HarnessTrial | null
}

export interface HarnessCheckRequest {
  readonly registry: Registry
  readonly here: string
  readonly file: string
  readonly samples: readonly string[]
}

/** `file`: a single file, a folder with one, or the `harness.yaml` in it. */
export async function checkHarnessFile({ registry, here, file, samples }: HarnessCheckRequest): Promise<HarnessCheck> {
  const show = showPath(here)
  const folder = file.replace(/[/\\]harness\.yaml$/, '')
  const path = folder !== file && existsSync(join(folder, 'harness.yaml')) ? folder : file
  const read = await readHarnessFile(path, show)
  if ('problems' in read) {
    const problems = read.problems.map(({ file: where, line, column, message }) => ({
      ...fileProblem('broken-harness-file', where, message),
      line,
      column,
    }))
    return { id: null, title: null, problems: [...read.unread, ...problems], trial: null }
  }
  const { harness } = read
  const texts: Sample[] = []
  const problems: Diagnostic[] = []
  for (const sample of samples) {
    const found = readTextFile(sample, show(sample))
    if ('problem' in found) problems.push(found.problem)
    else texts.push({ path: show(sample), text: found.file.text })
  }
  return { id: harness.id, title: harness.title, problems, trial: tryHarness(registry, harness, texts) }
}
