/** Access: layers of rules, how strict they are, and the views of it (written, effective, stated, ceiling). */

import type { Range } from '../range.ts'
import type { Syntax } from './patterns.ts'

/**
 * - `allow`: done without asking.
 * - `offer`: the tool is available; whether a person is asked depends on the harness's own mode.
 * - `ask`: a person is asked each time.
 * - `deny`: not done.
 */
export const actions = ['deny', 'ask', 'offer', 'allow'] as const
export type Action = (typeof actions)[number]

/** The kind of a call's argument, which a rule's pattern is compared with; `query`: a search term. */
export const subjects = ['none', 'command', 'path', 'agent', 'skill', 'url', 'query'] as const
export type Subject = (typeof subjects)[number]

/** Whether an agent runs as the main session or is called by another: harnesses often differ between the two. */
export const roles = ['main', 'child'] as const
export type Role = (typeof roles)[number]

export interface Rule {
  /** Neutral tools or patterns of them; one native switch can govern several tools. */
  readonly tools: readonly string[]
  readonly subject: Subject
  /** Null: every call of these tools. */
  readonly pattern: string | null
  readonly syntax: Syntax
  readonly action: Action
  /** Absent: in both roles. */
  readonly role?: Role
  /**
   * What has no effect although it is written: the whole rule, only its pattern, or its effect (the name is honoured,
   * but another remaining tool does the same). `edition`: it counts in another edition or kind of session.
   */
  readonly ignored?: 'rule' | 'pattern' | 'effect' | 'edition'
  /** Not written in the file: a default of the harness. */
  readonly isDefault?: boolean
  /** What the harness grants for words that do not imply it. */
  readonly isUnsaid?: boolean
  /** As the file spells it, for people. */
  readonly native: string
  /** The harness's own name for what is granted or denied, if the rule comes from a list of names. */
  readonly unit?: string
  readonly range: Range | null
}

/** How several matching rules of one layer are resolved. */
export const resolutions = ['last-match', 'first-match', 'deny-ask-allow', 'widest'] as const
export type Resolution = (typeof resolutions)[number]

/** Whether the harness enforces a layer: observed by running it, only documented, or not at all. */
export type Enforcement = 'observed' | 'claimed' | 'no'

/** What a shell can reach at most, if the harness runs it in a sandbox. */
export const sandboxes = ['read-only', 'workspace'] as const
export type Sandbox = (typeof sandboxes)[number]

export interface Layer {
  /** The source of the layer: a key of the file, or the harness's defaults. */
  readonly origin: string
  readonly resolution: Resolution
  readonly rules: readonly Rule[]
  /** The action if no rule matches; null: this layer is silent and the others decide. */
  readonly otherwise: Action | null
  readonly enforced: { readonly main: Enforcement; readonly child: Enforcement }
  readonly sandbox?: Sandbox
}

export type Access = readonly Layer[]

const ranks: Readonly<Record<Action, number>> = { deny: 4, ask: 3, offer: 2, allow: 1 }

export function strictness(action: Action): number {
  return ranks[action]
}

export function widest(some: readonly Action[]): Action {
  return some.reduce<Action>((best, one) => (strictness(one) < strictness(best) ? one : best), 'deny')
}

/** The widest if there are no actions, so that another can only be stricter. */
export function strictest(some: readonly Action[]): Action {
  return some.reduce<Action>((best, one) => (strictness(one) > strictness(best) ? one : best), 'allow')
}

/** The access as the definition declares it, whether or not the harness enforces it. */
export function writtenAccess(access: Access, as: Role): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ role, isUnsaid }) => (role === undefined || role === as) && isUnsaid !== true),
  }))
}

/** The access that the harness really grants: without the layers, rules and patterns that it does not honour. */
export function effectiveAccess(access: Access, as: Role): Access {
  return honouredAccess(access, as).map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ ignored }) => ignored !== 'effect'),
  }))
}

/** Like `effectiveAccess`, but name by name: a removed tool counts, although another does the same. */
export function honouredAccess(access: Access, as: Role): Access {
  return access
    .filter(({ enforced }) => enforced[as] !== 'no')
    .map((layer) => ({
      ...layer,
      rules: layer.rules
        .filter((rule) => (rule.role === undefined || rule.role === as) && !isIgnored(rule))
        .map((rule) => (rule.ignored === 'pattern' ? { ...rule, pattern: null } : rule)),
    }))
}

/** A denial that counts in one kind of session only removes what no other has. */
function isIgnored({ ignored, action }: Rule): boolean {
  return ignored === 'rule' || (ignored === 'edition' && action !== 'deny')
}

/** A grant that the harness ignores: it grants nothing, regardless of its author's intent. */
export function isIgnoredGrant({ ignored, action }: Rule): boolean {
  return ignored === 'rule' && action !== 'deny'
}

/** A denial of some calls that the harness treats as a denial of all of them. */
function deniesEveryCall({ ignored, action }: Rule): boolean {
  return ignored === 'pattern' && action === 'deny'
}

/**
 * The upper bound for anything built from a definition: the lesser of what it declares, where silence means all, and of
 * what its harness grants for these words. Restrictions that the harness ignores count as declared; grants that it
 * ignores are void.
 */
export function accessCeiling(access: Access, as: Role): Access {
  const said = statedAccess(access, as)
  const stricter = said.filter(({ rules }) => rules.some((rule) => isIgnoredGrant(rule) || deniesEveryCall(rule)))
  if (stricter.length === 0) return said
  const given = said.map((layer) => ({
    ...layer,
    rules: layer.rules
      .filter((rule) => !isIgnoredGrant(rule))
      .map((rule) => (deniesEveryCall(rule) ? { ...rule, pattern: null } : rule)),
  }))
  // In a list, removing a grant or adding a denial never widens; if rules have an order, it can.
  const isList = ({ resolution }: Layer) => resolution === 'widest' || resolution === 'deny-ask-allow'
  return stricter.every(isList) ? given : [...said, ...given]
}

/** What a definition itself declares, regardless of its harness; silence means all. */
export function statedAccess(access: Access, as: Role): Access {
  return withoutDefaults(writtenAccess(access, as))
}

/** What a harness denies or asks by default, or adds to a list that does not name it, is not part of a definition. */
function withoutDefaults(access: Access): Access {
  return access.map((layer) => {
    const isLeftOut = ({ isDefault, action }: Rule) =>
      isDefault === true && (layer.otherwise === 'deny' || strictness(action) > strictness('offer'))
    return layer.rules.some(isLeftOut) ? { ...layer, rules: layer.rules.filter((rule) => !isLeftOut(rule)) } : layer
  })
}

const ordered = new WeakMap<Layer, readonly Rule[]>()

/** The rules of a layer in an order in which the first match decides, sorted once for all calls. */
export function rulesByStrength(layer: Layer): readonly Rule[] {
  let rules = ordered.get(layer)
  if (rules === undefined) {
    rules = strongestFirst(layer.resolution, layer.rules)
    ordered.set(layer, rules)
  }
  return rules
}

/** The rules in an order in which the first match decides, for any resolution of the layer. */
export function strongestFirst(resolution: Resolution, rules: readonly Rule[]): readonly Rule[] {
  switch (resolution) {
    case 'first-match':
      return rules
    case 'last-match':
      return rules.toReversed()
    case 'deny-ask-allow':
      return rules.toSorted((a, b) => strictness(b.action) - strictness(a.action))
    case 'widest':
      return rules.toSorted((a, b) => strictness(a.action) - strictness(b.action))
  }
}

export function decidingRule(resolution: Resolution, matching: readonly Rule[]): Rule | null {
  if (matching.length < 2) return matching[0] ?? null
  return strongestFirst(resolution, matching)[0] ?? null
}
