/** Reads a section file: front matter and template. There is always a result, and every problem has a position. */

import { isMap, type MapEntry, toData } from '../../formats/data.ts'
import { splitFrontMatter } from '../../formats/front-matter.ts'
import { nearestWord } from '../../formats/text.ts'
import { parseYaml } from '../../formats/yaml/parse.ts'
import type { Finding } from '../../model/findings.ts'
import type { SectionFile, SectionSettings } from './section.ts'
import { guards, type Key, type KeyName, knownSources, places, sectionKeys } from './section-keys.ts'
import { pathsIn } from './template/expression.ts'
import { parseCondition, parseTemplate } from './template/parse.ts'
import type { DataReference } from './template/syntax.ts'

export interface SectionRead {
  readonly file: SectionFile
  readonly findings: readonly Finding[]
}

/** In characters. It is parsed for every prompt after a change, and YAML is slow. */
export const MOST_FRONT_MATTER = 8 * 1024

/** Findings after which it is unknown who may see the section. */
const closing: ReadonlySet<string> = new Set(['front-matter-not-a-map', 'unclosed-front-matter', 'file-too-large'])

/** `stem`: the name of the file, which is the section's name by default. */
export function readSection(text: string, stem: string): SectionRead {
  const cut = splitFrontMatter(text)
  const findings: Finding[] = [...cut.findings]
  const entries = cut.yaml === null ? [] : readEntries(text, cut.yaml, cut.indent, findings)
  const given: { -readonly [K in keyof SectionSettings]?: SectionSettings[K] } = {}
  const names: Partial<Record<KeyName, string>> = {}
  const conditions: DataReference[] = []
  let broken = findings.some(({ code }) => closing.has(code))
  for (const { key, keyRange, value } of entries) {
    const known: Key | undefined = Object.hasOwn(sectionKeys, key) ? sectionKeys[key as KeyName] : undefined
    if (known === undefined) {
      findings.push(unknownKey(key, keyRange))
      continue
    }
    const data = toData(value)
    // `agents:` without a value has no effect.
    if (data === null) continue
    const understood = known.read(data)
    if (understood === undefined) {
      findings.push(wrongValue(key, known.expects, value.range))
      broken ||= guards.has(key)
      continue
    }
    if (key === 'name' || key === 'section') names[key] = understood as string
    else if (key === 'when') {
      const { condition, findings: wrong } = parseCondition(
        understood as string,
        conditionStart(text, value.range.start),
      )
      findings.push(...wrong)
      given.when = condition
      broken ||= condition === null
      for (const path of condition === null ? [] : pathsIn(condition)) {
        conditions.push({ path, range: value.range, inList: false })
      }
    } else Object.assign(given, { [places[key as KeyName] ?? '']: understood })
  }
  const body = text.slice(cut.body.start, cut.body.end)
  const isBlank = body.trim() === ''
  const lead = /^\s*/.exec(body)?.[0].length ?? 0
  const parsed = parseTemplate(body.trim(), cut.body.start + lead)
  findings.push(...parsed.findings)
  const references = [
    ...(parsed.template?.references.map((one) => moved(one, cut.body.start + lead)) ?? []),
    ...conditions,
  ]
  findings.push(...unknownData(references, given.sources ?? []))
  const template = isBlank ? null : parsed.template
  return {
    file: { name: names.name ?? names.section ?? stem, given, template, broken: broken || parsed.template === null },
    findings: findings.map(asOurs),
  }
}

/** Nothing is repaired here, and a finding that excludes a section should report that. */
function asOurs({ fix: _fix, ...finding }: Finding): Finding {
  if (!closing.has(finding.code) || finding.message.includes('left out')) return finding
  return { ...finding, message: `The section is left out. ${finding.message}` }
}

function readEntries(
  text: string,
  range: { start: number; end: number },
  indent: string,
  findings: Finding[],
): readonly MapEntry[] {
  if (range.end - range.start > MOST_FRONT_MATTER) {
    const message = `The section is left out: its front matter has more than ${MOST_FRONT_MATTER} characters.`
    findings.push({ code: 'file-too-large', message, hint: 'A few lines are enough.', range })
    return []
  }
  const parsed = parseYaml(text, range, indent, { knownKeys: new Set(Object.keys(sectionKeys)) })
  findings.push(...parsed.findings)
  return isMap(parsed.root) ? parsed.root.entries : []
}

/** A quoted condition begins after its quote. */
function conditionStart(text: string, start: number): number {
  return text[start] === '"' || text[start] === "'" ? start + 1 : start
}

function moved(reference: DataReference, by: number): DataReference {
  const { start, end } = reference.range
  return { ...reference, range: { start: start + by, end: end + by } }
}

function unknownKey(key: string, range: Finding['range']): Finding {
  const close = nearestWord(key, Object.keys(sectionKeys))
  const hint = close === null ? `Known keys: ${Object.keys(sectionKeys).join(', ')}.` : `Did you mean ${close}?`
  return {
    code: 'unknown-key',
    severity: 'warning',
    message: `Unknown key \`${key}\`; it is ignored.`,
    hint,
    range,
  }
}

function wrongValue(key: string, expects: string, range: Finding['range']): Finding {
  const isGuard = guards.has(key)
  const what = isGuard ? 'so the section is left out' : 'so it is ignored'
  const message = `\`${key}\` should be ${expects}, ${what}.`
  return { code: 'invalid-value', severity: isGuard ? 'error' : 'warning', message, range }
}

/** A misspelled name would otherwise be an unnoticed "unknown". */
function unknownData(references: readonly DataReference[], sources: SectionSettings['sources']): Finding[] {
  const known = new Set([...Object.values(knownSources), ...sources.map(({ name }) => name), 'this'])
  const seen = new Set<string>()
  return references.flatMap(({ path: [root = ''], range, inList }) => {
    if (known.has(root) || root.startsWith('@') || inList || seen.has(root)) return []
    seen.add(root)
    const close = nearestWord(root, [...known])
    const hint = close === null ? `Known names: ${[...known].join(', ')}.` : `Did you mean ${close}?`
    return [
      { code: 'unknown-data' as const, message: `No data source provides \`${root}\`, so it is unknown.`, hint, range },
    ]
  })
}
