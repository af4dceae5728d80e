/** Access keys that are present but cannot be read, so that what they allow cannot be written elsewhere. */

import { type DataNode, getNode, type MapNode } from '../../formats/data.ts'
import { asSeen } from '../../formats/text.ts'
import type { Access } from '../../model/access/rules.ts'
import type { Finding } from '../../model/findings.ts'
import { isToolName } from '../keys.ts'
import type { AccessLayerSpec, Harness } from '../schema/harness.ts'

/** Of the keys that were not understood, those without any effect left. */
export function unreadAccess(
  { access: { layers } }: Harness,
  map: MapNode | null,
  unreadable: readonly string[],
  access: Access,
  hasTwins: boolean,
): Finding[] {
  const once = hasTwins ? ', and only once' : ''
  return layers
    .filter(({ key }) => unreadable.includes(key) && isClosed(access, key))
    .map((spec) => {
      const message = `\`${spec.key}\` cannot be read: ${expected(spec)} should stand there${once}, in the form that its harness documents.`
      return { code: 'unreadable-access', message, range: getNode(map, spec.key.split('.'))?.range ?? nowhere }
    })
}

const nowhere = { start: 0, end: 0 }

/** One of its layers denies everything, so that the others have no effect. */
function isClosed(access: Access, key: string): boolean {
  return access.some(({ origin, otherwise, rules: [rule, ...others] }) => {
    const isAlone = origin === key && otherwise === 'deny' && others.length === 0
    return isAlone && rule?.action === 'deny' && rule.tools.includes('*')
  })
}

function expected({ codec, cases }: AccessLayerSpec): string {
  switch (codec) {
    case 'allow-list':
    case 'deny-list':
      return 'a list of names of tools'
    case 'agent-list':
      return 'a list of names of agents'
    case 'rule-map':
      return 'a map from tools to allow, ask or deny'
    case 'flag-map':
      return 'a map from tools to true or false'
    case 'switch':
      return `one of ${Object.keys(cases ?? {}).join(', ')}`
  }
}

/** Denied names that look like a tool's but use other characters: unknown to every harness, but meant by the author. */
export function lookAlikes({ access: { layers } }: Harness, map: MapNode | null): Finding[] {
  return layers.flatMap(({ key, codec }) => {
    const node = codec === 'allow-list' || codec === 'agent-list' ? undefined : getNode(map, key.split('.'))
    const found = node === undefined ? undefined : namesIn(node).find(isDisguised)
    if (node === undefined || found === undefined) return []
    const message = `\`${key}\` names "${asSeen(found).trim()}" in characters that only look like it (${codesOf(found)}): no program takes it for that tool.`
    return [{ code: 'unreadable-access' as const, message, range: node.range }]
  })
}

/** All texts in the place of names and actions. */
function namesIn(node: DataNode): string[] {
  if (node.kind === 'list') return node.items.flatMap(namesIn)
  if (node.kind === 'map') return node.entries.flatMap(({ key, value }) => [key, ...namesIn(value)])
  return typeof node.value === 'string' ? [node.value, ...node.value.split(/[\s,;]+/)] : []
}

function isDisguised(name: string): boolean {
  if (name.trim() === '' || !OTHER.test(name)) return false
  const seen = asSeen(name).trim().replace(/\(.*$/s, '')
  return seen !== name && (seen === '*' || isToolName(seen) || ANSWERS.test(seen))
}

const OTHER = /[^\0-\x7F]/u
const ANSWERS = /^(?:allow|ask|deny|true|false)$/i

function codesOf(name: string): string {
  const codes = [...name].filter((sign) => OTHER.test(sign)).map((sign) => sign.codePointAt(0) ?? 0)
  return [...new Set(codes)]
    .slice(0, 3)
    .map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(', ')
}
