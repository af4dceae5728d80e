/** `troupe work send --lines`: sends messages that stand in a chat and were not run. */
import { isAbsolute, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { reason } from '../../project/files.ts'
import { readRegularText } from '../../project/regular-file.ts'
import { oneLine } from '../../report/layout.ts'
import { drop } from '../../runtime/inbox.ts'
import type { Places } from '../../runtime/places.ts'
import { type ChatMessage, parseChat } from '../../workplace/chat.ts'
import { parseRanges } from '../../workplace/line-numbers.ts'
import { isPerson, SERVER } from '../../workplace/names.ts'
import type { Roster } from '../../workplace/roster.ts'
import { type CommandInput, UsageError } from '../command.ts'

/** The ids of the messages, which are on the disk when it returns. */
export function sendLines({ terminal }: CommandInput, places: Places, roster: Roster, spec: string): string[] {
  if (process.env.TROUPE_AGENT) throw new UsageError('Only a person can send lines of a chat again.')
  const messages = messagesIn(places, roster, spec)
  const ids = messages.map(({ from, to, observers, text }) => {
    terminal.tell(`${oneLine(from)} to ${oneLine(to)}: ${oneLine(text)}\n`)
    return drop(places, { kind: 'message', from, to, observers, text, run: null, worktree: false })
  })
  drop(places, { kind: 'clear', from: spec })
  return ids
}

function messagesIn({ folder }: Places, roster: Roster, spec: string): ChatMessage[] {
  const [, file = '', numbers = ''] = /^(.+):([^:]*)$/.exec(spec) ?? []
  const isWanted = parseRanges(numbers)
  if (isWanted === null || file === '' || isAbsolute(file) || file.split(/[\\/]/).includes('..'))
    throw new UsageError(`"${spec}" names no lines of a chat.`, 'troupe work send --lines chat.md:3,7-9')
  let text: string
  try {
    text = readRegularText(join(folder, file), { most: limits.journal })
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${reason(error)}.`, 'Name a file in .workplace/.')
  }
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
  const isKnown = (name: string) => roster.has(name) || isPerson(name) || name === SERVER
  const { messages, broken } = parseChat(lines, isKnown)
  const [first] = broken.filter(({ line }) => isWanted(line))
  if (first !== undefined) throw new UsageError(`Line ${first.line} of ${file} cannot be sent: ${first.why}.`)
  const found = messages.filter(({ line }) => isWanted(line))
  if (found.length === 0) throw new UsageError(`No message begins in these lines of ${file}.`)
  return found
}
