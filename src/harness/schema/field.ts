/** Keys and values: shapes, consequences, and what a field must look like. */
import * as v from 'valibot'
import { actions, roles, subjects } from '../../model/access/rules.ts'
import { type Concept, concepts, type Json } from '../../model/agent.ts'

/** How a harness reacts to something it does not accept. */
export const consequences = [
  'refuses-to-start',
  'not-loaded',
  'not-loaded-silently',
  'loads-raw',
  'field-dropped',
  'fails-when-used',
  'fails-for-all',
  'sent-to-provider',
  'ignored',
  'accepted',
] as const

export const text = v.pipe(v.string(), v.minLength(1))
export const texts = v.array(text)
export const consequence = v.picklist(consequences)
export const pattern = v.pipe(
  text,
  v.check((value) => isRegExp(value), 'is not a regular expression'),
)
/** Any value inside a recipe. */
export const json: v.GenericSchema<JsonData> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type JsonData = string | number | boolean | null | JsonData[] | { [key: string]: JsonData }
export const shape = v.picklist(['string', 'number', 'integer', 'boolean', 'list', 'map', 'null'])

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Accepts one value in place of a list. */
export function oneOrMore<T extends v.GenericSchema>(item: T) {
  return v.pipe(
    v.union([item, v.array(item)]),
    v.transform((value) => (Array.isArray(value) ? value : [value]) as v.InferOutput<T>[]),
  )
}

/** Rules in harness files, in neutral words. */
const enforcement = v.picklist(['observed', 'claimed', 'no'])
/** One word for both roles, or one for each. */
export const enforced = v.pipe(
  v.union([enforcement, v.strictObject({ main: enforcement, child: enforcement })]),
  v.transform((value) => (typeof value === 'string' ? { main: value, child: value } : value)),
)

export const neutralRule = v.strictObject({
  tools: oneOrMore(text),
  pattern: v.optional(text),
  subject: v.optional(v.picklist(subjects)),
  action: v.picklist(actions),
  /** Only if the agent is the main session, or only if it is a child. */
  role: v.optional(v.picklist(roles)),
})

export type Consequence = (typeof consequences)[number]

/** What the items of a list, or the values of a map, must be. */
export const each: v.GenericSchema<EachInput, Each> = v.lazy(() =>
  v.strictObject({
    shape: v.optional(oneOrMore(shape)),
    /** Keys that a map must have: all of one of these lists. */
    needs: v.optional(v.array(texts)),
    /** What happens otherwise, if it differs from what happens to the whole. */
    invalid: v.optional(consequence),
    /** What texts must look like, and what that means, for people: "everything is ..." */
    pattern: v.optional(pattern),
    expects: v.optional(text),
    each: v.optional(each),
  }),
)
type Shape = v.InferOutput<typeof shape>

export type EachInput = {
  readonly shape?: Shape | Shape[] | undefined
  readonly needs?: string[][] | undefined
  readonly invalid?: Consequence | undefined
  readonly pattern?: string | undefined
  readonly expects?: string | undefined
  readonly each?: EachInput | undefined
}
export type Each = {
  readonly shape?: Shape[] | undefined
  readonly needs?: string[][] | undefined
  readonly invalid?: Consequence | undefined
  readonly pattern?: string | undefined
  readonly expects?: string | undefined
  readonly each?: Each | undefined
}

const constraint = {
  shape: v.optional(oneOrMore(shape)),
  each: v.optional(each),
  /** The only keys that a map may have, and those that it must have: all of one of these lists. */
  keys: v.optional(texts),
  needs: v.optional(v.array(texts)),
  values: v.optional(texts),
  pattern: v.optional(pattern),
  /** What the pattern means, for people: "`color` must be ..." */
  expects: v.optional(text),
  /** The least number, or the fewest items. */
  min: v.optional(v.number()),
  /** What the number must exceed. */
  above: v.optional(v.number()),
  /** No item of a list may be repeated. */
  unique: v.optional(v.boolean()),
  /** What happens if the value is not of that shape. */
  invalid: v.optional(consequence),
  /** What happens if it is none of the values, if that differs. */
  unknownValue: v.optional(consequence),
  /** What happens if the key is absent. */
  missing: v.optional(consequence),
  /** What happens if the text is blank; defaults to `missing`. */
  blank: v.optional(consequence),
  note: v.optional(text),
  /** Values that limit what an agent may do, and the equivalent rules; `*`: every other value. */
  limits: v.optional(v.record(text, v.array(neutralRule))),
}

/** Every concept that a key can stand for. */
export const fieldKeys = v.picklist(Object.keys(concepts) as [Concept, ...Concept[]])

const anything = v.record(text, v.any() as v.GenericSchema<Json>)

/** How MCP servers are written down. */
const servers = v.strictObject({
  as: v.picklist(['list', 'map']),
  /** For a list: the key of each entry that holds the server's name. */
  named: v.optional(text),
  /** Values of `type` that mean tools of the harness itself, and no servers. */
  own: v.optional(texts, []),
  /** Its names for `command`, `args`, `env`, `cwd`, `url`, `httpUrl`, `headers`, if they differ. */
  keys: v.optional(v.record(text, text), {}),
  /** The value of `type` for a program, and for an address. */
  types: v.optional(v.record(v.picklist(['stdio', 'http', 'sse']), text), {}),
  /** The command is one list with its arguments. */
  joined: v.optional(v.boolean(), false),
  /** Further required keys, with the value that changes nothing. */
  needsLocal: v.optional(anything, {}),
  needsRemote: v.optional(anything, {}),
})

/** Lists inside the entry of a server that define which of its tools an agent gets: `*` means all of them. */
const filters = v.strictObject({
  allow: v.optional(texts, []),
  deny: v.optional(texts, []),
  enforced,
})

/**
 * A rule in a config file beside a server, which denies it to agents whose own rules do not mention it: their rules
 * come after this one, and the last match wins.
 */
const guard = v.strictObject({
  /** The rule map, and the action in it under the harness's word for all tools of the server. */
  at: text,
  answer: text,
  /** Names of servers for which that word is understood literally. */
  names: pattern,
})

/** How a concept is spelled: by a key (its own name by default), by its place, or in a config file. */
export const field = v.pipe(
  v.union([
    text,
    v.strictObject({
      ...constraint,
      key: v.optional(text),
      /** Older or foreign spellings that are read as the same. */
      aliases: v.optional(texts),
      embedded: v.optional(v.picklist(['filename', 'configKey', 'body', 'presence'])),
      /** A path in a config file, with `{name}`. */
      config: v.optional(v.strictObject({ file: text, path: text, guard: v.optional(guard) })),
      /** The harness's words for the neutral values, neutral first. */
      map: v.optional(v.record(text, v.union([v.string(), v.number(), v.boolean()]))),
      /** The key means the opposite of the concept. */
      negated: v.optional(v.boolean()),
      /** The harness reads a backslash and an n in the text as a line end. */
      unescapes: v.optional(v.boolean()),
      /** A value that means the same as an absent key; it is never written. */
      omit: v.optional(text),
      /** The harness's default if the key is absent. */
      default: v.optional(text),
      /** Accepted without effect: the reason. */
      inert: v.optional(text),
      /** Of limited effect: what is missing. */
      partial: v.optional(text),
      /** Values with an inner form of their own can be transferred only between harnesses that name the same form. */
      form: v.optional(text),
      servers: v.optional(servers),
      filters: v.optional(filters),
      /** For the mode: the roles that an agent's file can have, if not both. */
      roles: v.optional(v.array(v.picklist(roles))),
    }),
  ]),
  v.transform((value) => (typeof value === 'string' ? { key: value } : value)),
)

export const nativeKey = v.strictObject({
  ...constraint,
  inert: v.optional(text),
  /** For people: if another harness does not know the key, it stays in the prompt as a comment. */
  forPeople: v.optional(v.boolean()),
  /** The agent is another program if the key is present (`true`) or has one of these values. */
  elsewhere: v.optional(v.union([v.literal(true), texts])),
})
