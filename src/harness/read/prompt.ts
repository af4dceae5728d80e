/** An agent's prompt: the body, a key, or a file beside the definition, with references expanded as the harness does. */

import { type DataNode, getEntry, type MapNode } from '../../formats/data.ts'
import type { Prompt } from '../../model/agent.ts'
import type { Finding } from '../../model/findings.ts'
import { inKilobytes, limits } from '../../model/limits.ts'
import type { Range } from '../../model/range.ts'
import type { Carrier } from '../schema/harness.ts'
import type { Document } from './document.ts'

/** What a prompt may refer to outside its own file; passed in, so that reading stays pure. */
export interface Surroundings {
  /** The text of a file named relative to the definition; null if it is not available. */
  readonly readBeside: (path: string) => string | null
  readonly environment: (name: string) => string | undefined
  /** Whether this many more characters may be included; absent: always. */
  readonly take?: (characters: number) => boolean
  /** Whether one more file may be read; absent: always. */
  readonly mayRead?: (path: string) => boolean
}

/** For the prompts of one file: included files are read once, up to a limit. */
export function withinLimit(surroundings: Surroundings): Surroundings {
  const known = new Map<string, string | null>()
  let left: number = limits.included
  return {
    ...surroundings,
    readBeside: (path) => {
      let text = known.get(path)
      if (text === undefined) {
        text = surroundings.readBeside(path)
        known.set(path, text)
      }
      return text
    },
    mayRead: (path) => known.has(path) || known.size < limits.references,
    take: (characters) => {
      if (characters > left) return false
      left -= characters
      return true
    },
  }
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
  const [first, ...others] = promptKeysIn(carrier, map)
  const found = getEntry(map, first ?? '')
  if (found?.value.kind !== 'scalar' || found.value.value === null) return { value: noPrompt, findings: [] }
  const range = found.value.range
  const written = String(found.value.value)
  const path = carrier.prompt.refers === undefined ? undefined : referredPath(carrier.prompt.refers, written)
  if (path !== undefined) return referredPrompt(carrier, path, range, surroundings)
  const expands = carrier.prompt.expands ?? []
  const { text, missing, left } = expand(written, expands, surroundings, document.text.slice(range.start, range.end))
  const findings: Finding[] = [...missing].map((reference) => {
    const message = `${reference} names a file that cannot be read.`
    return { code: 'missing-reference', message, range, consequence: carrier.prompt.missing }
  })
  if (left > 0) findings.push(tooMuchIncluded(range, left))
  const from = /^\{file:([^}]+)\}$/.exec(written.trim())?.[1] ?? null
  if (others.length === 0) return { value: { text, range, from }, findings }
  const rest = others.flatMap((key) => scalarText(getEntry(map, key)?.value) ?? [])
  return { value: { text: [text, ...rest].map((one) => one.trimEnd()).join('\n\n'), range: null, from }, findings }
}

/** The keys that hold the prompt of this definition. */
export function promptKeysIn({ prompt }: Carrier, map: MapNode | null): string[] {
  const has = (key: string | undefined) => (scalarText(getEntry(map, key ?? '')?.value) ?? '').trim() !== ''
  const first = has(prompt.key) ? prompt.key : has(prompt.otherwise) ? prompt.otherwise : prompt.key
  return [first, ...(prompt.more ?? []).filter(has)].filter((key) => key !== undefined)
}

function scalarText(node: DataNode | undefined): string | undefined {
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

function referredPath(pattern: string, written: string): string | undefined {
  return new RegExp(pattern, 'u').exec(written.trim())?.[1]
}

/** A reference is never the prompt itself. */
function referredPrompt(carrier: Carrier, path: string, range: Range, surroundings: Surroundings) {
  const isOpen = surroundings.mayRead?.(path) ?? true
  const text = isOpen ? surroundings.readBeside(path) : null
  if (text !== null && (surroundings.take ?? (() => true))(text.length))
    return { value: { text, range, from: path }, findings: [] }
  if (text !== null) return { value: { ...noPrompt, from: path }, findings: [tooMuchIncluded(range, 1)] }
  const message = `${path} cannot be read, and should hold the prompt.`
  const finding = { code: 'missing-reference' as const, message, range, consequence: carrier.prompt.missing }
  return { value: { ...noPrompt, from: path }, findings: [finding] }
}

function tooMuchIncluded(range: Range, left: number): Finding {
  const references = left === 1 ? 'One reference is left as it is' : `${left} references are left as they are`
  const message = `The prompts in this file include more than ${limits.references} files, or more than ${inKilobytes(limits.included)}. ${references}.`
  return { code: 'too-much-included', message, range }
}

function besidePrompt(carrier: Carrier, document: Document, map: MapNode | null, surroundings: Surroundings) {
  if (getEntry(map, carrier.prompt.key ?? '') !== undefined) return keyPrompt(carrier, document, map, surroundings)
  const path = (carrier.prompt.file ?? '').replace(/\{([^}]+)\}/g, (_all, key: string) => {
    const value = getEntry(map, key)?.value
    return value?.kind === 'scalar' ? String(value.value) : ''
  })
  const text = surroundings.readBeside(path)
  if (text !== null) return { value: { text, range: null, from: path }, findings: [] }
  const message = `The prompt is expected in ${path}, which cannot be read.`
  return {
    value: noPrompt,
    findings: [{ code: 'missing-reference' as const, message, range: map?.range ?? { start: 0, end: 0 } }],
  }
}

const ENV = /\{env:([^}]+)\}/g
const FILE = /\{file:([^}]+)\}/g

interface Expanded {
  readonly text: string
  /** References to files that cannot be read. */
  readonly missing: ReadonlySet<string>
  /** How many references were not expanded, because of the limit. */
  readonly left: number
}

/** `{env:NAME}` first, then `{file:path}`, each replaced by its value; an unset variable is empty. */
function expand(
  text: string,
  kinds: readonly ('file' | 'env')[],
  surroundings: Surroundings,
  source: string,
): Expanded {
  // Only literal references: an escaped brace is just a brace.
  const isThere = referencesIn(source)
  const take = surroundings.take ?? (() => true)
  const missing = new Set<string>()
  let left = 0
  let expanded = text
  if (kinds.includes('env')) {
    expanded = expanded.replace(ENV, (reference, name: string) => {
      if (!isThere(reference)) return reference
      const value = surroundings.environment(name) ?? ''
      if (take(value.length)) return value
      left++
      return reference
    })
  }
  if (kinds.includes('file')) {
    expanded = expanded.replace(FILE, (reference, path: string) => {
      if (!isThere(reference)) return reference
      const isOpen = surroundings.mayRead?.(path.trim()) ?? true
      const content = isOpen ? surroundings.readBeside(path.trim())?.trim() : null
      if (content === undefined) missing.add(reference)
      else if (content !== null && take(content.length)) return content
      else left++
      return reference
    })
  }
  return { text: expanded, missing, left }
}

/** The references that occur literally in the source of a value. */
function referencesIn(source: string): (reference: string) => boolean {
  let all: ReadonlySet<string> | null = null
  return (reference) => {
    all ??= new Set([ENV, FILE].flatMap((pattern) => source.match(pattern) ?? []))
    return all.has(reference)
  }
}
