/** `troupe check --fix` on the disk: repairs the files of a project as one run, so that `troupe undo` reverts all of them. */
import { relative, sep } from 'node:path'
import { replaceFile } from '../disk/atomic-write.ts'
import { isInside } from '../disk/roots.ts'
import { encode } from '../formats/decode.ts'
import type { Registry } from '../harness/registry.ts'
import type { LoadedFile } from '../workbench/file.ts'
import { type Repair, repairFile } from '../workbench/fix.ts'
import { openRun, type Run } from './run/run.ts'
import type { RunRefusal } from './run/troupe-folder.ts'

export interface RepairedFile {
  /** As shown. */
  readonly path: string
  readonly repair: Repair
  /** Why it is unchanged, as half a sentence; null: it was repaired. */
  readonly problem: string | null
  /** Whether `troupe undo` reverts it: files outside the project are not part of the run. */
  readonly canBeUndone: boolean
}

export interface RepairOutcome {
  readonly refused: RunRefusal | null
  readonly files: readonly RepairedFile[]
}

const REPAIR_COMMAND = 'check --fix'

export function repairFiles(registry: Registry, root: string, files: readonly LoadedFile[]): RepairOutcome {
  const repairs = files.flatMap((file) => {
    const repair = repairFile(registry, file)
    return repair === null ? [] : [{ file, repair }]
  })
  // A run leaves a folder behind, so none is opened where there is nothing to do.
  if (!repairs.some(({ file }) => isInside(root, file.candidate.path))) {
    return { refused: null, files: repairs.map((one) => repairOutside(root, one)) }
  }
  const opened = openRun(root, REPAIR_COMMAND)
  if (!('run' in opened)) return { refused: opened.refused, files: [] }
  const { run } = opened
  try {
    const done = repairs.map((one) =>
      isInside(root, one.file.candidate.path) ? repairInside(run, root, one) : repairOutside(root, one),
    )
    run.commit()
    return { refused: null, files: done }
  } finally {
    run.abort()
  }
}

interface Planned {
  readonly file: LoadedFile
  readonly repair: Repair
}

function repairInside(run: Run, root: string, { file, repair }: Planned): RepairedFile {
  const path = relative(root, file.candidate.path).split(sep).join('/')
  run.edit(path, encode(repair.text, file.source.encoding))
  const problem = run.failed.get(path)?.message.replace(/^Not written: (.*)\.$/, '$1') ?? null
  return { path: file.path, repair, problem, canBeUndone: true }
}

function repairOutside(root: string, { file, repair }: Planned): RepairedFile {
  const result = replaceFile(file.candidate.path, encode(repair.text, file.source.encoding), root)
  const problem = result.written ? null : result.why
  return { path: file.path, repair, problem, canBeUndone: false }
}
