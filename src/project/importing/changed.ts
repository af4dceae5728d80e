/** What an imported agent says that its own file does not: told, because nobody wrote it. */
import type { Target } from '../../convert/read-back.ts'
import { decide, writtenAccess } from '../../model/access.ts'
import type { Json } from '../../model/agent.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { fileProblem } from '../files.ts'
import type { Collected } from './collect.ts'

export function changedIn(target: Target, from: Collected, value: Json): Diagnostic[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = isMap ? (value as Entries) : {}
  return [...invented(target, from, entries), ...addedTools(target, from, entries), ...lineEnds(from)]
}

type Entries = Readonly<Record<string, Json>>

function invented({ harness }: Target, { source }: Collected, entries: Entries): Diagnostic[] {
  const { description, role } = source.agent.fields
  const key = harness.fields.description?.key ?? ''
  const isSaid = [description, role].some((field) => field !== undefined && field.value.trim() !== '')
  if (isSaid || entries[key] === undefined) return []
  const message = `It has no description, and ${harness.title} needs one: the beginning of its prompt was taken.`
  return [{ ...fileProblem('other-words', source.path, message), severity: 'warning' }]
}

/** Where an empty list means everything, "no tools" is said with a tool that can do no harm. */
function addedTools({ harness }: Target, { source }: Collected, entries: Entries): Diagnostic[] {
  const access = writtenAccess(source.agent.access, 'child')
  const isDenied = (tool: string) => decide(access, { tool }).action === 'deny'
  return harness.access.layers
    .filter(({ codec }) => codec === 'allow-list')
    .flatMap(({ key }) => {
      const list = entries[key]
      const names = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
      const added = names.filter((name) => {
        const grants = harness.units[name]?.grants ?? []
        return grants.length > 0 && grants.every(isDenied)
      })
      if (added.length === 0) return []
      const words = added.map((name) => `\`${name}\``).join(', ')
      const message = `\`${key}\` became ${words}, which it did not have: without a name in it ${harness.title} would give it everything.`
      return [{ ...fileProblem('other-words', source.path, message), severity: 'warning' as const }]
    })
}

function lineEnds({ source }: Collected): Diagnostic[] {
  if (!source.agent.prompt.text.includes('\r\n')) return []
  return [fileProblem('line-ends', source.path, 'Lines of its prompt end with CRLF; here they end with LF.')]
}
