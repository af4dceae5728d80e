/** An agent's prompt: the body, a key, or a file beside the definition, with references expanded as the harness does. */
import type { Prompt } from '../model/agent.ts'
import type { Finding } from '../model/diagnostics.ts'
import { entry } from '../text/data.ts'
import type { MapNode } from '../text/tree.ts'
import type { Document } from './document.ts'
import type { Carrier } from './schema/harness.ts'

/** What a prompt may refer to outside its own file; answers are handed in, so that reading stays pure. */
export interface Surroundings {
  /** The text of a file named relative to the definition; null when it cannot be had. */
  readonly readBeside: (path: string) => string | null
  readonly environment: (name: string) => string | undefined
}

export function readPrompt(
  carrier: Carrier,
  document: Document,
  map: MapNode | null,
  surroundings: Surroundings,
): { value: Prompt; findings: Finding[] } {
  switch (carrier.prompt.in) {
    case 'body':
      return { value: bodyPrompt(document), findings: [] }
    case 'key':
      return keyPrompt(carrier, document, map, surroundings)
    case 'beside':
      return besidePrompt(carrier, document, map, surroundings)
  }
}

function bodyPrompt(document: Document): Prompt {
  const range = document.body ?? { start: 0, end: document.text.length }
  return { text: document.text.slice(range.start, range.end), range, from: null }
}

const noPrompt: Prompt = { text: '', range: null, from: null }

function keyPrompt(carrier: Carrier, document: Document, map: MapNode | null, surroundings: Surroundings) {
  const found = entry(map, carrier.prompt.key ?? '')
  if (found?.value.kind !== 'scalar' || found.value.value === null) return { value: noPrompt, findings: [] }
  const range = found.value.range
  const written = String(found.value.value)
  const findings: Finding[] = []
  // Only what stands there as such: a brace that is escaped is just a brace.
  const isThere = (reference: string) => document.text.slice(range.start, range.end).includes(reference)
  const text = expand(written, carrier.prompt.expands ?? [], { ...surroundings, isThere }, (message) =>
    findings.push({ code: 'missing-reference', message, range, consequence: carrier.prompt.missing }),
  )
  const from = /^\{file:([^}]+)\}$/.exec(written.trim())?.[1] ?? null
  return { value: { text, range, from }, findings }
}

function besidePrompt(carrier: Carrier, document: Document, map: MapNode | null, surroundings: Surroundings) {
  if (entry(map, carrier.prompt.key ?? '') !== undefined) return keyPrompt(carrier, document, map, surroundings)
  const path = (carrier.prompt.file ?? '').replace(/\{([^}]+)\}/g, (_all, key: string) => {
    const value = entry(map, key)?.value
    return value?.kind === 'scalar' ? String(value.value) : ''
  })
  const text = surroundings.readBeside(path)
  if (text !== null) return { value: { text, range: null, from: path }, findings: [] }
  const message = `The prompt should stand in ${path}, which cannot be read.`
  return {
    value: noPrompt,
    findings: [{ code: 'missing-reference' as const, message, range: map?.range ?? { start: 0, end: 0 } }],
  }
}

/** `{env:NAME}` first, then `{file:path}`, each replaced by what it names; an unset variable is empty. */
function expand(
  text: string,
  kinds: readonly ('file' | 'env')[],
  surroundings: Surroundings & { readonly isThere: (reference: string) => boolean },
  missing: (message: string) => void,
): string {
  let expanded = text
  if (kinds.includes('env')) {
    expanded = expanded.replace(/\{env:([^}]+)\}/g, (reference, name: string) =>
      surroundings.isThere(reference) ? (surroundings.environment(name) ?? '') : reference,
    )
  }
  if (kinds.includes('file')) {
    expanded = expanded.replace(/\{file:([^}]+)\}/g, (reference, path: string) => {
      if (!surroundings.isThere(reference)) return reference
      const content = surroundings.readBeside(path.trim())
      if (content === null) missing(`${reference} names a file that cannot be read.`)
      return content === null ? reference : content.trim()
    })
  }
  return expanded
}
