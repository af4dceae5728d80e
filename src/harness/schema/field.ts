/** Keys and values: shapes, consequences, and what a field must look like. */
import * as v from 'valibot'
import { actions, roles, subjects } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'

/** What a harness does about something it does not like. */
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
/** Any value, where a recipe holds one. */
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

/** Accepts one value where a list is meant. */
export function oneOrMore<T extends v.GenericSchema>(item: T) {
  return v.pipe(
    v.union([item, v.array(item)]),
    v.transform((value) => (Array.isArray(value) ? value : [value]) as v.InferOutput<T>[]),
  )
}

/** Rules as harness files state them, in neutral words. */
const enforcement = v.picklist(['observed', 'claimed', 'no'])
export const enforced = v.strictObject({ main: enforcement, child: enforcement })

export const neutralRule = v.strictObject({
  tools: oneOrMore(text),
  pattern: v.optional(text),
  subject: v.optional(v.picklist(subjects)),
  action: v.picklist(actions),
  /** Only where the agent is the main session, or only where it is a child. */
  role: v.optional(v.picklist(roles)),
})

export type Consequence = (typeof consequences)[number]

/** What the items of a list, or the values of a map, must be. */
export const each: v.GenericSchema<EachInput, Each> = v.lazy(() =>
  v.strictObject({
    shape: v.optional(oneOrMore(shape)),
    /** Keys that a map must have: all of one of these lists. */
    needs: v.optional(v.array(texts)),
    /** What happens otherwise, where it is not what happens to the whole. */
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
  /** No item of a list may stand there twice. */
  unique: v.optional(v.boolean()),
  /** What happens when the value is not of that shape. */
  invalid: v.optional(consequence),
  /** What happens when it is none of the values, where that is something else. */
  unknownValue: v.optional(consequence),
  /** What happens when the key is absent. */
  missing: v.optional(consequence),
  /** What happens when there is a text without a word in it; as `missing` where nothing is said. */
  blank: v.optional(consequence),
  note: v.optional(text),
  /** Values that limit what an agent may do, and the rules that they amount to; `*`: every other value. */
  limits: v.optional(v.record(text, v.array(neutralRule))),
}

const anything = v.record(text, v.any() as v.GenericSchema<Json>)

/** How MCP servers are written down. */
const servers = v.strictObject({
  as: v.picklist(['list', 'map']),
  /** Its words for `command`, `args`, `env`, `cwd`, `url`, `httpUrl`, `headers`, where they differ. */
  keys: v.optional(v.record(text, text), {}),
  /** The value of `type` for a program, and for an address. */
  types: v.optional(v.record(v.picklist(['stdio', 'http', 'sse']), text), {}),
  /** The command is one list with its arguments. */
  joined: v.optional(v.boolean(), false),
  /** What must be there besides, and the value that changes nothing. */
  needsLocal: v.optional(anything, {}),
  needsRemote: v.optional(anything, {}),
})

/** Lists inside the entry of a server that say which of its tools an agent gets: `*` stands for all of them. */
const filters = v.strictObject({
  allow: v.optional(texts, []),
  deny: v.optional(texts, []),
  enforced,
})

/**
 * What a config file can say beside a server, so that agents whose own rules do not speak of it go without: their rules
 * come after this one, and the last match wins.
 */
const guard = v.strictObject({
  /** The map of rules, and the answer that stands in it under the harness's word for all tools of the server. */
  at: text,
  answer: text,
  /** Names of servers for which that word is understood as it stands. */
  names: pattern,
})

/** How a concept is spelled: by a key, by its place, in a config file, or not at all. */
export const field = v.pipe(
  v.union([
    text,
    v.strictObject({
      ...constraint,
      key: v.optional(text),
      /** Older or foreign spellings that are read as the same. */
      aliases: v.optional(texts),
      embedded: v.optional(v.picklist(['filename', 'configKey', 'body', 'presence'])),
      /** A place in a config file, with `{name}`. */
      config: v.optional(v.strictObject({ file: text, path: text, guard: v.optional(guard) })),
      /** The harness's words for the neutral values, neutral first. */
      map: v.optional(v.record(text, v.union([v.string(), v.number(), v.boolean()]))),
      /** The key says the opposite of the concept. */
      negated: v.optional(v.boolean()),
      /** A backslash and an n in the text are a line end to the harness. */
      unescapes: v.optional(v.boolean()),
      /** A value that means the same as leaving the key out. */
      omit: v.optional(text),
      /** What the harness assumes when the key is absent. */
      default: v.optional(text),
      /** Accepted without effect: the reason. */
      inert: v.optional(text),
      /** Of limited effect: what is missing. */
      partial: v.optional(text),
      /** Values with an inner form of their own can be handed over only between harnesses that name the same form. */
      form: v.optional(text),
      servers: v.optional(servers),
      filters: v.optional(filters),
      /** For the mode: the roles that an agent's file can have at all, where that is not both. */
      roles: v.optional(v.array(v.picklist(roles))),
    }),
  ]),
  v.transform((value) => (typeof value === 'string' ? { key: value } : value)),
)

export const nativeKey = v.strictObject({
  ...constraint,
  inert: v.optional(text),
  /** Something that people read: where another harness does not know the key, it stays in the prompt as a comment. */
  forPeople: v.optional(v.boolean()),
  /** The agent is another program, where the key is there (`true`) or has one of these values. */
  elsewhere: v.optional(v.union([v.literal(true), texts])),
})
