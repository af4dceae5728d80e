/** What is kept of a source that is data (TOML, or an entry in JSON): its text, into which values can be put again. */
import type { Agent, Json } from '../model/agent.ts'
import { toData } from '../text/data.ts'
import { applyEdits } from '../text/edit.ts'
import { removeTomlValue } from '../text/edit-toml.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { type Kept, type KeptEntry, MOST, TAKEN_OUT } from './kept.ts'
import { agentMark, heldMark } from './marks.ts'
import type { Source } from './parse.ts'
import { holdsSecrets, mentionsSecrets } from './secrets.ts'

/** `isOpen`: secrets are not left out. Null where there is nothing that could be kept. */
export function keepData(source: Source, written: Agent, isOpen: boolean): KeptData | null {
  const { map, agent, carrier, harness, document } = source
  if (map === null || document.findings.length > 0) return keepBroken(source, written)
  const hidden = isOpen ? [] : map.entries.filter(({ key, value }) => holdsSecrets(key, value))
  const secrets = new Set(hidden.map(({ key }) => key))
  const kept = carrier.agents === undefined ? fileText(source, secrets) : entryText(source, secrets)
  if (kept === null || kept.around[0].length + kept.around[1].length > MOST) return null
  const header = map.entries
    .filter(({ key }) => key !== carrier.prompt.key)
    .map(({ key }): KeptEntry => [key, secrets.has(key) ? TAKEN_OUT : null, heldMark(harness, written, key)])
  return { header, around: kept.around, data: [fingerprint(agent.prompt.text), kept.isOut] }
}

type KeptData = Pick<Kept, 'header' | 'around' | 'data' | 'solid'>

/** What could not be read as it should is of use only while nothing was changed. */
function keepBroken({ text, agent, carrier }: Source, written: Agent): KeptData | null {
  if (carrier.agents !== undefined || text.length > MOST || mentionsSecrets(text)) return null
  const data = [fingerprint(agent.prompt.text), false] as const
  return { header: [], around: [text, ''], data, solid: agentMark(written) }
}

interface KeptText {
  readonly around: Kept['around']
  /** Whether the prompt was taken out from between them. */
  readonly isOut: boolean
}

function fileText({ text, agent, carrier }: Source, secrets: ReadonlySet<string>): KeptText | null {
  if (secrets.size > 0) return carrier.format === 'toml' ? withoutSecrets(text, secrets) : null
  const { range, text: prompt } = agent.prompt
  const at = range === null || prompt === '' ? -1 : text.indexOf(prompt, range.start)
  // Where it is spelled with escapes it stays where it is.
  if (range === null || at < 0 || at + prompt.length > range.end) return { around: [text, ''], isOut: false }
  return { around: [text.slice(0, at), text.slice(at + prompt.length)], isOut: true }
}

function withoutSecrets(text: string, secrets: ReadonlySet<string>): KeptText | null {
  let rest = text
  for (const key of secrets) {
    const edits = removeTomlValue(rest, [key])
    if (edits === null) return null
    rest = applyEdits(rest, edits)
  }
  return { around: [rest, ''], isOut: false }
}

/** Of a file that others share only the entry, and of that only what it says. */
function entryText({ carrier, map, agent }: Source, secrets: ReadonlySet<string>): KeptText {
  const key = carrier.prompt.key ?? ''
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  const entries = Object.entries(data).filter(([one]) => !secrets.has(one))
  // A prompt that refers to something stays as it is.
  const isOut = Object.hasOwn(data, key) && data[key] === agent.prompt.text
  const text = JSON.stringify(
    Object.fromEntries(entries.map(([one, value]) => [one, isOut && one === key ? '' : value])),
  )
  return { around: [text, ''], isOut }
}
