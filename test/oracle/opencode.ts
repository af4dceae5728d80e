/** OpenCode 1.18.33: what a Markdown agent (or an entry of opencode.json) says, and how the program decides its calls. */
import { type Answer, type Call, lesser, type Reading, type Role } from './call.ts'
import { cutFrontMatter, findKey, parseYaml } from './front-matter.ts'
import { isDenied, isGranted, saidEntries } from './lists.ts'
import {
  clearRules,
  decideByRules,
  isHidden,
  keyOf,
  ordinary,
  type Place,
  type Rule,
  rulesOf,
  saidByRules,
  spokenOfOutside,
} from './permission.ts'
import { denialsByName, patternsIn } from './said.ts'

/** What stands before an agent's own rules, and nobody wrote. */
const defaults: readonly Rule[] = [
  { key: '*', pattern: '*', action: 'allow' },
  { key: 'doom_loop', pattern: '*', action: 'ask' },
  { key: 'external_directory', pattern: '*', action: 'ask' },
  { key: 'question', pattern: '*', action: 'deny' },
  { key: 'plan_enter', pattern: '*', action: 'deny' },
  { key: 'plan_exit', pattern: '*', action: 'deny' },
  { key: 'read', pattern: '*', action: 'allow' },
  { key: 'read', pattern: '*.env', action: 'ask' },
  { key: 'read', pattern: '*.env.*', action: 'ask' },
  { key: 'read', pattern: '*.env.example', action: 'allow' },
]
const free: readonly Rule[] = defaults.slice(0, 1)

export function readOpenCode(
  text: string,
  around: { readonly rules?: readonly Rule[]; readonly place?: Place } = {},
): Reading {
  const config = /^\s*\{/.test(text) ? parseConfig(text) : undefined
  const entry = config === undefined ? undefined : firstAgent(config)
  // An entry of a configuration file is an object; written on one line it is YAML too.
  const cut = cutFrontMatter(text)
  const header = entry === undefined ? cut.header : JSON.stringify(entry ?? {})
  const whole = entry === undefined ? cut.whole : header
  const data = entry === undefined ? (header === null ? {} : programData(header)) : entry
  const own = ownRules(data ?? {})
  const rules = own ?? []
  const place = around.place ?? ordinary
  // What holds for all agents stands before what one says itself.
  const shared = [...(around.rules ?? []), ...(isRecord(config) ? (ownRules(config) ?? []) : [])]
  const given = (call: Call, role: Role, isOwn = false): Answer => {
    if (isOwn) return decideByRules(withOpenFolders([...free, ...rules]), call, place)
    if (keyOf(call.tool) === null) return 'deny'
    return decideByRules([...defaults, ...shared, ...rules, ...childRules(rules, role)], call, place)
  }
  const denied = denialsByName(whole)
  const mode = data?.mode ?? 'all'
  return {
    said: saidOpenCode(whole),
    given,
    offers: (tool, role) =>
      !isHidden([...defaults, ...shared, ...rules, ...childRules(rules, role)], keyOf(tool) ?? tool),
    denies: (call) => denied(call) || switchesOff(data?.tools, call),
    names: () => false,
    roles: mode === 'primary' ? ['main'] : mode === 'subagent' ? ['child'] : ['main', 'child'],
    loads: data !== null && own !== null && isValid(data) && !/^\t/m.test(header ?? ''),
    disabled: data?.disable === true || (header !== null && /^disable:\s*true\s*$/m.test(header)),
    patterns: patternsIn(text),
    keys: JSON.stringify([data?.tools, data?.permission]),
  }
}

/** An opencode.json, comments and last commas forgiven; null: it is none. */
function parseConfig(text: string): Record<string, unknown> | null {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (one) => (one.startsWith('"') ? one : ''))
  try {
    return JSON.parse(bare.replace(/,(?=\s*[}\]])/g, ''))
  } catch {
    return null
  }
}

function firstAgent(config: Record<string, unknown> | null): Record<string, unknown> | null {
  const first = isRecord(config?.agent) ? Object.values(config.agent)[0] : null
  return isRecord(first) ? first : null
}

/** A star says nothing about folders in particular: how far a tool reaches is then the mode of the harness. */
export function withOpenFolders(rules: readonly Rule[]): readonly Rule[] {
  const at = rules.findLastIndex(({ key }) => key === '*') + 1
  const outside: Rule = { key: 'external_directory', pattern: '*', action: 'allow' }
  return [...rules.slice(0, at), outside, ...spokenOfOutside(rules.slice(0, at)), ...rules.slice(at)]
}

/** A subagent calls nobody and keeps no list, unless its own rules speak of that. */
function childRules(own: readonly Rule[], role: Role): Rule[] {
  if (role === 'main') return []
  return ['todowrite', 'task']
    .filter((key) => own.every((rule) => rule.key !== key))
    .map((key) => ({ key, pattern: '*', action: 'deny' }))
}

/** The old switches first, then the permissions in their place; null: the program does not start with this. */
function ownRules({ tools, permission }: Record<string, unknown>): Rule[] | null {
  const all: Record<string, unknown> = {}
  if (tools !== undefined) {
    if (!isRecord(tools) || Object.values(tools).some((on) => typeof on !== 'boolean')) return null
    for (const [name, on] of Object.entries(tools)) {
      all[['write', 'edit', 'patch'].includes(name) ? 'edit' : name] = on === true ? 'allow' : 'deny'
    }
  }
  if (permission !== undefined && rulesOf(permission) === null) return null
  if (typeof permission === 'string') all['*'] = permission
  else if (isRecord(permission)) Object.assign(all, permission)
  return rulesOf(all)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const plainOnly = ['todowrite', 'question', 'webfetch', 'websearch', 'doom_loop']

/** One wrong value, and OpenCode does not start at all. */
function isValid(data: Record<string, unknown>): boolean {
  const { description, mode, color, temperature, steps, hidden, disable, permission } = data
  if (description !== undefined && typeof description !== 'string') return false
  if (mode !== undefined && !['subagent', 'primary', 'all'].includes(mode as string)) return false
  if (
    color !== undefined &&
    !/^(?:#[0-9a-fA-F]{6}|primary|secondary|accent|success|warning|error|info)$/.test(String(color))
  )
    return false
  if (temperature !== undefined && typeof temperature !== 'number') return false
  if (steps !== undefined && !(Number.isInteger(steps) && Number(steps) > 0)) return false
  if ([hidden, disable].some((one) => one !== undefined && typeof one !== 'boolean')) return false
  return !isRecord(permission) || plainOnly.every((key) => typeof (permission[key] ?? '') === 'string')
}

/** What the program reads; null: it does not take the file. What it cannot repair it loads without any of its keys. */
function programData(header: string): Record<string, unknown> | null {
  const data = parseYaml(header)
  if (data !== null) return data
  const repaired = header
    .split('\n')
    .map((line) => {
      const match = /^([A-Za-z_]\w*)\s*:\s*(.*)$/.exec(line)
      const value = match?.[2]?.trim() ?? ''
      if (match === null || value === '' || /^[>|]$|^["']/.test(value) || !value.includes(':')) return line
      return `${match[1]}: |-\n  ${value}`
    })
    .join('\n')
  return repaired === header ? {} : parseYaml(repaired)
}

/** By its words. A list of names under `tools` stops the program, and says all the same what was meant. */
function saidOpenCode(header: string | null) {
  if (header === null) return (): Answer => 'allow'
  const switches = findKey(header, 'tools')
  const permissions = findKey(header, 'permission')
  const isUnclear = [...switches, ...permissions].some(({ clear }) => !clear)
  const old = switches.flatMap((found) =>
    found.clear && isRecord(found.value) ? Object.entries(found.value).map(switchRule) : [],
  )
  const lists = switches.flatMap((found) =>
    found.clear && found.value !== null && !isRecord(found.value) ? [saidEntries(found, 'grants')] : [],
  )
  const denied = findKey(header, 'disallowedTools').map((found) => saidEntries(found, 'denials'))
  // Twice the same key: each of the two could be meant, so the lesser counts.
  const own = permissions.flatMap((found) => (found.clear ? [inOnePlace(old, clearRules(found.value))] : []))
  const rulesets = own.length === 0 ? [old] : own
  return (call: Call): Answer => {
    if (isUnclear || lists.some((entries) => !isGranted(entries, call))) return 'deny'
    if (denied.some((entries) => isDenied(entries, call))) return 'deny'
    return rulesets.map((rules) => saidByRules(rules, call)).reduce(lesser)
  }
}

function switchRule([name, on]: [string, unknown]): Rule {
  const key = ['write', 'edit', 'patch'].includes(name) ? 'edit' : name
  return { key, pattern: '*', action: on === true ? 'allow' : 'deny' }
}

/** A permission stands where the old switch of the same name stood. */
function inOnePlace(switches: readonly Rule[], rules: readonly Rule[]): Rule[] {
  const keys = new Set(rules.map(({ key }) => key))
  const early = switches.flatMap((one) => (keys.has(one.key) ? rules.filter(({ key }) => key === one.key) : [one]))
  return [...early, ...rules.filter(({ key }) => !switches.some((one) => one.key === key))]
}

function switchesOff(tools: unknown, call: Call): boolean {
  if (!isRecord(tools)) return false
  return Object.entries(tools).some(([name, on]) => on === false && name !== '*' && name === keyOf(call.tool))
}
