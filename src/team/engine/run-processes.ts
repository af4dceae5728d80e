/** Finds the processes of a run, including those that left their group, their session and their parent (Linux). */
import { hash } from 'node:crypto'
import { processesWhere, processStart, readProc } from '../../disk/processes.ts'
import { realPathOrNull } from '../../disk/roots.ts'
import type { ProcessId } from '../../model/process-id.ts'

/** Of any of these runs: identified by their environment or, if that was emptied, by the mark among their limits. */
export function processesOfRuns(runs: ReadonlySet<string>, root: string): number[] {
  if (runs.size === 0) return []
  const real = realPathOrNull(root) ?? root
  const marks = new Set([...runs].map((run) => runMark(real, run)))
  return processesWhere((environment, pid) => {
    const run = valueIn(environment, 'TROUPE_RUN')
    const workplace = valueIn(environment, 'TROUPE_WORKPLACE')
    // Two workplaces may have runs with the same name.
    const isNamed =
      run !== null && runs.has(run) && (workplace === null || (realPathOrNull(workplace) ?? workplace) === real)
    return isNamed || marks.has(readRunMark(pid) ?? '')
  })
}

/**
 * A number that only the processes of one run have. It is the limit for file locks, which Linux has not enforced since 2.4:
 * every child inherits it, regardless of its environment, group, session and parent.
 */
export function runMark(root: string, run: string): string {
  return BigInt(`0x${hash('sha256', `${realPathOrNull(root) ?? root}\n${run}`, 'hex').slice(0, 15)}`).toString()
}

function readRunMark(pid: number): string | null {
  return /^Max file locks +(\d+) /m.exec(readProc(pid, 'limits') ?? '')?.[1] ?? null
}

/** When a process of this run started; null if there is none with that number, or no longer. */
export function startInRun(pid: number, run: string): string | null {
  const start = processStart(pid)
  // Checked again, so that both answers are about one process.
  return start !== null && runOf(pid) === run && processStart(pid) === start ? start : null
}

/** The process of this run that has this number in a nested namespace, by its number here. */
export function findInRun(pid: number, run: string): ProcessId | null {
  for (const found of processesWhere((environment) => valueIn(environment, 'TROUPE_RUN') === run)) {
    const numbers = /^NSpid:\s+(.*)$/m.exec(readProc(found, 'status') ?? '')?.[1]?.split(/\s+/) ?? []
    const start = numbers.length > 1 && numbers.at(-1) === String(pid) ? startInRun(found, run) : null
    if (start !== null) return { pid: found, start }
  }
  return null
}

/** The run in whose environment a process was started. */
function runOf(pid: number): string | null {
  return valueIn(readProc(pid, 'environ') ?? '', 'TROUPE_RUN')
}

function valueIn(environment: string, name: string): string | null {
  return new RegExp(`(?:^|\\0)${name}=([^\\0]*)`).exec(environment)?.[1] ?? null
}
