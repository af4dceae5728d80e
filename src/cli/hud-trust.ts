/** `troupe hud trust`: which commands sections want to run, and the user's word for it. */
import { findSections } from '../hud-data/find-sections.ts'
import { distrustCommands, isTrusted, trustCommands } from '../hud-data/trust.ts'
import { projectFolders } from '../project/roots.ts'
import { oneLine } from '../report/layout.ts'
import { type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'

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
  const rows = wanted.map((one) => ({ ...one, trusted: isTrusted(root, one.command) }))
  if (options.json === true) printJson(terminal, { commands: rows })
  else if (rows.length === 0) printLines(terminal, ['No section wants to run a command.'])
  else {
    const lines = rows.map(({ section, command, trusted }) => {
      return `  ${trusted ? terminal.style.green('trusted    ') : terminal.style.yellow('not trusted')}  ${oneLine(section)}: ${asWritten(command)}`
    })
    printLines(terminal, lines)
    terminal.tell('A command is trusted in this project, as long as its words stay the same.\n')
  }
  return exit.fine
}

/** Whoever trusts a command must see all of it: what could hide something is written out. */
function asWritten(command: string): string {
  if (/^[ -~]*$/.test(command)) return command
  return JSON.stringify(command).replace(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}
