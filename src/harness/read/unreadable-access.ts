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
  const once = hasTwins ? ', given only once' : ''
  return layers
    .filter(({ key }) => unreadable.includes(key) && isClosed(access, key))
    .map((spec) => {
      const message = `\`${spec.key}\` cannot be read: expected ${expected(spec)}${once}.`
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
    case 'approve-list':
    case 'deny-list':
      return 'a list of tool names'
    case 'agent-list':
      return 'a list of agent names'
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
    const node = codec !== 'deny-list' && codec.endsWith('-list') ? undefined : getNode(map, key.split('.'))
    const found = node === undefined ? undefined : namesIn(node).find((name) => disguised(name) !== null)
    if (node === undefined || found === undefined) return []
    const message = `\`${key}\` names "${disguised(found)}" with characters that do not belong to it (${codesOf(found)}), which no program reads as that tool.`
    return [{ code: 'unreadable-access' as const, message, range: node.range }]
  })
}

/** All texts in the place of names and actions. */
function namesIn(node: DataNode): string[] {
  if (node.kind === 'list') return node.items.flatMap(namesIn)
  if (node.kind === 'map') return node.entries.flatMap(({ key, value }) => [key, ...namesIn(value)])
  return typeof node.value === 'string' ? [node.value, ...node.value.split(/[\s,;]+/)] : []
}

/** The name that it seems to be. */
function disguised(name: string): string | null {
  if (!OTHER.test(name)) return null
  // Without the punctuation that a typing error leaves around it.
  const seen = /[\w*](?:.*[\w*])?/s.exec(asSeen(name).replace(/\(.*$/s, ''))?.[0] ?? ''
  return seen !== name && (seen === '*' || isToolName(seen) || ANSWERS.test(seen)) ? seen : null
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
