/** `troupe undo`: undoes the last run, file by file. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { oneLine, plural } from '../../report/layout.ts'
import { type Undone, undoLastRun as undoRun } from '../../sync/run/undo.ts'
import { type Command, type CommandInput, exit, printJson, printLines, refuseRun, UsageError } from '../command.ts'

export const undo: Command = {
  name: 'undo',
  takes: '',
  words: 0,
  summary: 'undo the last run',
  details:
    'Restores every file that the last run changed, and removes the files it created, even if the run was interrupted. Files that have changed since are left alone unless --force is given.',
  options: {
    out: { type: 'string', value: 'DIR', about: 'folder that the run wrote into (default: the project)' },
    force: { type: 'boolean', about: 'also revert files that have changed since the run' },
    'dry-run': { type: 'boolean', about: 'show what would be done; do nothing' },
  },
  examples: [
    ['troupe undo --dry-run', 'show what the last run changed'],
    ['troupe undo', 'restore the project to its state before the last run'],
  ],
  run: (input) => {
    const dryRun = input.options['dry-run'] === true
    const root = rootOf(input)
    const result = undoRun(root, { dryRun, force: input.options.force === true })
    if ('refused' in result) {
      return refuseRun(result.refused)
    }
    const undone = result.undone === null ? null : withShownPaths(result.undone, input.here, root)
    const counts = countsOf(undone)
    if (input.options.json === true) printJson(input.terminal, { ...documentOf(undone), dryRun, summary: counts })
    else printLines(input.terminal, text(input, undone, counts, dryRun))
    return counts.failed > 0 ? exit.failed : counts.left > 0 ? exit.findings : exit.fine
  },
}

function rootOf({ options, here }: CommandInput): string {
  if (typeof options.out !== 'string') return projectFolders(here)[0] ?? here
  const root = resolve(here, options.out)
  if (!existsSync(root)) throw new UsageError(`No such folder: ${options.out}.`)
  return root
}

function withShownPaths(undone: Undone, here: string, root: string): Undone {
  const show = showPath(here)
  return { ...undone, files: undone.files.map((file) => ({ ...file, path: show(join(root, file.path)) })) }
}

type Counts = Record<Undone['files'][number]['status'], number>

function countsOf(undone: Undone | null): Counts {
  const counts: Counts = { removed: 0, restored: 0, left: 0, failed: 0 }
  for (const { status } of undone?.files ?? []) counts[status]++
  return counts
}

function documentOf(undone: Undone | null) {
  const files = (undone?.files ?? []).map(({ path, status, message }) => ({
    path,
    status,
    ...(message === undefined ? {} : { message }),
  }))
  return { command: undone?.command ?? null, finished: undone?.finished ?? null, files }
}

function text({ terminal }: CommandInput, undone: Undone | null, counts: Counts, dryRun: boolean): string[] {
  if (undone === null) return ['There is nothing to undo.']
  const { style } = terminal
  const lines = undone.files.flatMap(({ path, status, message }) => {
    if (message !== undefined) return [`${style.yellow(oneLine(path))}: ${message}`]
    return dryRun ? [`${oneLine(path)}: would be ${status}.`] : []
  })
  const done = [
    counts.removed > 0 ? `${plural(counts.removed, 'file')} removed` : null,
    counts.restored > 0 ? `${plural(counts.restored, 'file')} restored` : null,
  ].filter((part) => part !== null)
  const run = `${undone.finished ? '' : 'the unfinished '}\`troupe ${oneLine(undone.command)}\``
  const what = done.length === 0 ? 'nothing to change' : done.join(', ')
  lines.push(`${dryRun ? 'Would undo' : 'Undid'} ${run}: ${what}.`)
  if (counts.left > 0)
    lines.push(
      `${plural(counts.left, 'file')} left as ${counts.left === 1 ? 'it is' : 'they are'}. --force reverts changed files too.`,
    )
  if (counts.failed > 0)
    lines.push(`${plural(counts.failed, 'file')} could not be restored. Fix the cause and run \`troupe undo\` again.`)
  return lines
}
