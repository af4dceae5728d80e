/** `troupe hud install`, `uninstall` and `trust`: which harnesses are changed, and how. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { findProgram } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { distrustCommands, isTrustedCommand, trustCommands } from '../../hud/data/extra-sources.ts'
import { findSections } from '../../hud/data/find-sections.ts'
import { type HudChange, hasTraces, installHud, uninstallHud } from '../../hud/install.ts'
import { oneLine, wrap } from '../../report/layout.ts'
import { type CommandInput, exit, printJson, printLines, refuseRun, UsageError } from '../command.ts'
import { findHarness, loadRegistry } from '../load.ts'

type Word = 'install' | 'uninstall'

export async function runInstall(input: CommandInput, word: Word): Promise<number> {
  const { terminal, here, options } = input
  const { registry } = await loadRegistry(input)
  const root = projectFolders(here)[0] ?? here
  const chosen = chooseHarnesses(input, registry, root, word)
  const unable = chosen.filter(({ hud }) => hud === undefined || 'none' in hud)
  const dryRun = options['dry-run'] === true
  const request = { root, harnesses: chosen, program: shipped, dryRun, force: options.force === true }
  const outcome = word === 'install' ? installHud(request) : uninstallHud(request)
  if ('refused' in outcome) {
    return refuseRun(outcome.refused)
  }
  const show = showPath(here)
  const changes = outcome.changes.map((change) => ({ ...change, path: show(join(root, change.path)) }))
  const cannot = unable.map((harness) => ({ harness: harness.id, why: whyNoHud(harness) }))
  if (options.json === true) printJson(terminal, { action: word, dryRun, changes, cannot })
  else {
    // Settings that cannot be edited cannot be forced.
    const settings = chosen.map(({ hud }) => (hud !== undefined && 'settings' in hud ? hud.settings?.file : undefined))
    const isBlocked = outcome.changes.some(({ path, status }) => status === 'failed' && !settings.includes(path))
    printLines(terminal, installText(input, word, chosen, changes, cannot, isBlocked && options.force !== true))
  }
  return cannot.length > 0 || changes.some(({ status }) => status === 'failed') ? exit.findings : exit.fine
}

/** Those that are named; else those that the project has a folder for; else the installed ones. */
function chooseHarnesses({ options }: CommandInput, registry: Registry, root: string, word: Word): Harness[] {
  if (typeof options.harness === 'string') {
    return [...new Set(options.harness.split(',').map((one) => findHarness(registry, one)))]
  }
  const able = registry.all.filter(({ hud }) => hud !== undefined && 'program' in hud)
  if (word === 'uninstall') {
    return able.filter(({ hud }) => hud !== undefined && 'program' in hud && hasTraces(root, hud))
  }
  const here = able.filter(({ paths }) => existsSync(join(root, paths.root)))
  const chosen =
    here.length > 0
      ? here
      : able.filter(({ oracle }) => oracle !== undefined && findProgram(oracle.program.name) !== null)
  if (chosen.length > 0) return chosen
  throw new UsageError(
    'Which harness should show the HUD?',
    `Use --harness ${able.map(({ id }) => id).join(' or --harness ')}.`,
  )
}

function whyNoHud({ title, hud }: Harness): string {
  return hud !== undefined && 'none' in hud ? hud.none : `Troupe cannot install the HUD in ${title}.`
}

/** Next to the program, in the package. */
function shipped(name: string): Uint8Array {
  return readFileSync(join(__dirname, '../plugins', name))
}

const signs: Readonly<Record<HudChange['status'], string>> = {
  written: '✓',
  edited: '✓',
  removed: '✓',
  unchanged: ' ',
  failed: '✗',
}

function installText(
  { terminal: { style, columns }, options }: CommandInput,
  word: Word,
  chosen: readonly Harness[],
  changes: readonly HudChange[],
  cannot: readonly { readonly harness: string; readonly why: string }[],
  isBlocked: boolean,
): string[] {
  const lines: string[] = []
  for (const { id, title, hud } of chosen) {
    const own = changes.filter(({ harness }) => harness === id)
    lines.push(style.bold(title))
    for (const { path, status, message } of own) {
      lines.push(`  ${signs[status]} ${oneLine(path)}  ${status}`)
      if (message !== undefined) lines.push(...wrap(message, columns - 4).map((line) => `    ${line}`))
    }
    const why = cannot.find(({ harness }) => harness === id)?.why
    if (why !== undefined) lines.push(...wrap(why, columns - 2).map((line) => `  ${line}`))
    else if (
      word === 'install' &&
      hud !== undefined &&
      'says' in hud &&
      own.every(({ status }) => status !== 'failed')
    ) {
      lines.push('  From its next start, the sections reach the model:')
      for (const one of hud.says) {
        const [first = '', ...rest] = wrap(one, columns - 4)
        lines.push(`  - ${first}`, ...rest.map((line) => `    ${line}`))
      }
    }
  }
  if (chosen.length === 0) lines.push('The HUD is not installed in this project.')
  if (isBlocked) lines.push('', '--force also replaces files that Troupe did not write or that were changed since.')
  if (options['dry-run'] === true) lines.push('', 'Dry run: nothing was changed.')
  else if (changes.some(({ status }) => status !== 'unchanged' && status !== 'failed')) {
    lines.push('', word === 'install' ? '`troupe hud uninstall` removes it.' : '`troupe undo` restores it.')
  }
  return lines
}

/** `troupe hud trust`: shows the commands of sections and records the user's consent. */
export async function runTrust({ here, options, terminal }: CommandInput, name: string | undefined): Promise<number> {
  const root = projectFolders(here)[0] ?? here
  const { sections } = await findSections(here)
  if (name !== undefined && !sections.some((one) => one.name === name)) {
    throw new UsageError(`There is no section "${name}".`, '`troupe hud` lists them.')
  }
  const wanted = sections
    .filter((one) => name === undefined || one.name === name)
    .flatMap(({ name: section, path, sources }) =>
      sources.filter(({ kind }) => kind === 'command').map(({ of }) => ({ section, path, command: of })),
    )
  const commands = wanted.map(({ command }) => command)
  if (options.list !== true && commands.length > 0) {
    if (options.revoke === true) distrustCommands(root, commands)
    else trustCommands(root, commands)
  }
  const rows = wanted.map((one) => ({ ...one, trusted: isTrustedCommand(root, one.command) }))
  if (options.json === true) printJson(terminal, { commands: rows })
  else if (rows.length === 0) printLines(terminal, ['No section runs a command.'])
  else {
    const lines = rows.map(({ section, command, trusted }) => {
      return `  ${trusted ? terminal.style.green('trusted    ') : terminal.style.yellow('not trusted')}  ${oneLine(section)}: ${escapeCommand(command)}`
    })
    printLines(terminal, lines)
    terminal.info('Trust covers exactly this command, in this project.\n')
  }
  return exit.fine
}

/** A user who trusts a command must see all of it: characters that could hide something are escaped. */
function escapeCommand(command: string): string {
  if (/^[ -~]*$/.test(command)) return command
  return JSON.stringify(command).replace(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}
