/** The shape of a harness file (`harnesses/*.yaml`): checked when Troupe is built, and when a user brings their own. */
import * as v from 'valibot'
import { actions, resolutions, roles, subjects } from '../model/access.ts'
import { concepts } from '../model/agent.ts'
import { syntaxes } from '../model/pattern.ts'
import { oracleSchema } from './recipe-schema.ts'

/** What a harness does about something it does not like. */
export const consequences = [
  'refuses-to-start',
  'not-loaded',
  'not-loaded-silently',
  'loads-raw',
  'field-dropped',
  'fails-when-used',
  'sent-to-provider',
  'ignored',
  'accepted',
] as const

const text = v.pipe(v.string(), v.minLength(1))
const texts = v.array(text)
const consequence = v.picklist(consequences)
const pattern = v.pipe(
  text,
  v.check((value) => isRegExp(value), 'is not a regular expression'),
)
const shape = v.picklist(['string', 'number', 'integer', 'boolean', 'list', 'map', 'null'])

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Accepts one value where a list is meant. */
function oneOrMore<T extends v.GenericSchema>(item: T) {
  return v.pipe(
    v.union([item, v.array(item)]),
    v.transform((value) => (Array.isArray(value) ? value : [value]) as v.InferOutput<T>[]),
  )
}

/** Where files of one kind live in one scope, as globs; `~` and `${VAR:-default}` are understood in user places. */
const place = v.strictObject({
  read: oneOrMore(text),
  write: v.optional(text),
  /** File names (globs) inside that the harness passes over. */
  ignore: v.optional(texts),
})

const name = v.strictObject({
  /** The key that names the agent. */
  key: v.optional(text),
  /** What of its place names the agent. */
  path: v.optional(v.picklist(['stem', 'relative', 'folder', 'mapKey'])),
  /** Which of the two counts when both are there; the other is the fallback. */
  wins: v.optional(v.picklist(['key', 'path']), 'key'),
  /** Endings of a file's stem that are not part of the name (`reviewer.agent.md`). */
  strip: v.optional(texts, []),
  /** What stands between the parts of a relative path. */
  separator: v.optional(v.string(), '/'),
  /** What happens when the key that should name it is absent. */
  missing: v.optional(consequence),
  pattern: v.optional(pattern),
  /** What the pattern means, for people: "a name must be ..." */
  expects: v.optional(text),
  max: v.optional(v.number()),
  /** Only text is a name, not a number or a list; `exact`: white space around it counts too. */
  only: v.optional(v.picklist(['text', 'exact'])),
  invalid: v.optional(consequence),
})

const prompt = v.strictObject({
  in: v.picklist(['body', 'key', 'beside']),
  key: v.optional(text),
  /** For `beside`: the file, relative to the agent's own. */
  file: v.optional(text),
  /** References that are replaced by what they name when the prompt is read: `{file:...}`, `{env:...}`. */
  expands: v.optional(v.array(v.picklist(['file', 'env']))),
  minLength: v.optional(v.strictObject({ length: v.number(), otherwise: consequence })),
  /** Names in the prompt that the harness replaces, and what an unknown one does. */
  template: v.optional(
    v.strictObject({
      opens: text,
      closes: text,
      /** What can be a name at all; anything else between the two is plain text. */
      names: v.optional(pattern, '^\\w+$'),
      known: texts,
      unknown: consequence,
      escape: v.optional(text),
    }),
  ),
})

/** A kind of file that holds agents of this harness. */
const carrier = v.strictObject({
  id: text,
  title: text,
  format: v.picklist(['markdown', 'toml', 'json', 'jsonc', 'yaml']),
  /** Read only where this file exists at the scope's root. */
  when: v.optional(text),
  project: v.optional(place),
  user: v.optional(place),
  managed: v.optional(place),
  /** Agents inside a file: a map of name to agent, or a list. Absent: the file is one agent. */
  agents: v.optional(v.strictObject({ at: v.string(), as: v.picklist(['map', 'list']) })),
  /** Keys at the agents' place that are not agents at all, or that mark a file as something else. */
  name,
  prompt,
  /** What happens to a file of this kind that cannot be parsed, or that holds a wrong value, where it is not the usual. */
  unparsable: v.optional(consequence),
  invalidValue: v.optional(consequence),
  /** Keys that this kind of file may carry but that are not honoured in it. */
  drops: v.optional(texts),
})

/** What the items of a list, or the values of a map, must be. */
const each: v.GenericSchema<EachInput, Each> = v.lazy(() =>
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
type EachInput = {
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
}

/** How a concept is spelled: by a key, by its place, in a config file, or not at all. */
const field = v.pipe(
  v.union([
    text,
    v.strictObject({
      ...constraint,
      key: v.optional(text),
      /** Older or foreign spellings that are read as the same. */
      aliases: v.optional(texts),
      embedded: v.optional(v.picklist(['filename', 'configKey', 'body', 'presence'])),
      /** A place in a config file, with `{name}`. */
      config: v.optional(v.strictObject({ file: text, path: text })),
      /** The harness's words for the neutral values, neutral first. */
      map: v.optional(v.record(text, v.union([v.string(), v.number(), v.boolean()]))),
      /** The key says the opposite of the concept. */
      negated: v.optional(v.boolean()),
      /** A value that means the same as leaving the key out. */
      omit: v.optional(text),
      /** What the harness assumes when the key is absent. */
      default: v.optional(text),
      /** Accepted without effect: the reason. */
      inert: v.optional(text),
      /** Of limited effect: what is missing. */
      partial: v.optional(text),
    }),
  ]),
  v.transform((value) => (typeof value === 'string' ? { key: value } : value)),
)

const nativeKey = v.strictObject({ ...constraint, inert: v.optional(text) })

const enforcement = v.picklist(['observed', 'claimed', 'no'])
const enforced = v.strictObject({ main: enforcement, child: enforcement })

const neutralRule = v.strictObject({
  tools: oneOrMore(text),
  pattern: v.optional(text),
  subject: v.optional(v.picklist(subjects)),
  action: v.picklist(actions),
  /** Only where the agent is the main session, or only where it is a child. */
  role: v.optional(v.picklist(roles)),
})

/** A key that grants or limits, and the codec that reads it. */
const accessLayer = v.strictObject({
  key: text,
  codec: v.picklist(['allow-list', 'deny-list', 'agent-list', 'rule-map', 'flag-map', 'switch']),
  shape: v.optional(oneOrMore(shape)),
  each: v.optional(each),
  invalid: v.optional(consequence),
  /** An empty list or an empty value: no tools at all, or as if the key were absent. */
  empty: v.optional(v.picklist(['none', 'absent'])),
  /** What being listed means. */
  grants: v.optional(v.picklist(actions)),
  /** Whether `*` names every tool; otherwise it is the name of none. */
  star: v.optional(v.boolean(), true),
  /** Whether `Tool(pattern)` limits the tool, names the whole tool (`no`), or is no tool's name at all (`void`). */
  patterns: v.optional(v.picklist(['observed', 'claimed', 'no', 'void'])),
  /** For `switch`: value to rules. */
  cases: v.optional(v.record(text, v.array(neutralRule))),
  enforced: v.optional(enforced),
  /** A key that is read first and yields to this one. */
  legacy: v.optional(v.boolean()),
  note: v.optional(text),
})

const access = v.strictObject({
  /** The harness's own rules before the file says anything, in its order. */
  base: v.array(neutralRule),
  resolution: v.optional(v.picklist(resolutions), 'last-match'),
  /** `concatenate`: base and file are one list, resolved together; `strictest`: each is a layer of its own. */
  combine: v.picklist(['concatenate', 'strictest']),
  layers: v.array(accessLayer),
  /** Rules the harness puts behind the file's own, unless the file has this very key. */
  after: v.optional(v.array(v.strictObject({ ...neutralRule.entries, unlessKey: text })), []),
  /** Tools that cannot be taken away, by native name. */
  always: v.optional(v.array(v.strictObject({ tool: text, role: v.optional(v.picklist(roles)) })), []),
  /** A concept whose presence grants more than the tool list says: units, or the tools of the servers it names. */
  implies: v.optional(
    v.array(
      v.strictObject({
        field: text,
        grants: v.optional(texts, []),
        servers: v.optional(v.boolean()),
        note: v.optional(text),
      }),
    ),
    [],
  ),
  /** What happens to a tool name the harness does not know. */
  unknownTool: consequence,
  /** What happens when a list names tools and none of them is known. */
  noKnownTool: v.optional(v.strictObject({ main: consequence, child: consequence }), {
    main: 'ignored',
    child: 'ignored',
  }),
  caseSensitive: v.optional(v.boolean(), true),
})

/** A native tool or permission name and the neutral tools it grants. */
const unit = v.pipe(
  v.union([
    v.array(text),
    v.strictObject({
      grants: v.array(text),
      subject: v.optional(v.picklist(subjects)),
      syntax: v.optional(v.picklist(syntaxes)),
      /** Takes a plain action only, no patterns. */
      plain: v.optional(v.boolean()),
      /** Known only to one edition of the harness. */
      only: v.optional(text),
      /** Known only under these access keys. */
      under: v.optional(v.array(text)),
      /** There only for a main session, or only for a child. */
      role: v.optional(v.picklist(roles)),
      /** Denied as soon as this unit is. */
      goesWith: v.optional(text),
      /** Stands for every name that begins like this. */
      prefix: v.optional(v.boolean()),
      /** A name of older versions that does nothing today. */
      gone: v.optional(v.boolean()),
      /** Read, never written: an older or other spelling, of the unit named here if it is the same thing. */
      alias: v.optional(v.union([v.literal(true), text])),
    }),
  ]),
  v.transform((value) => (Array.isArray(value) ? { grants: value } : value)),
)

/** The word for a neutral tool in a prompt, by the seed's grammar: a name, null, partial or composite. */
const word = v.nullable(
  v.union([
    text,
    v.strictObject({ partial: text, note: text }),
    v.strictObject({ composite: texts, note: v.optional(text) }),
  ]),
)

const models = v.strictObject({
  /** What an id must look like to be accepted. */
  pattern: v.optional(pattern),
  /** Short names the harness understands. */
  aliases: v.optional(texts, []),
  /** The word for "the parent's model", or null where the key is left out. */
  inherit: v.nullable(text),
  /** What an id that is not accepted does. */
  unknown: consequence,
  /** Neutral tier to the id to write. */
  tiers: v.record(text, text),
})

export const harnessSchema = v.strictObject({
  $schema: v.optional(text),
  id: v.pipe(text, v.regex(/^[a-z][a-z0-9-]*$/)),
  title: text,
  /** Other names people call it by. */
  alsoCalled: v.optional(texts, []),
  checked: v.strictObject({ version: v.nullable(text), date: v.pipe(text, v.isoDate()) }),
  /** How we know: for the file as a whole, and for the parts (paths into this file) that differ. */
  evidence: v.strictObject({
    default: v.picklist(['observed', 'claimed', 'suggested']),
    observed: v.optional(texts, []),
    claimed: v.optional(texts, []),
    suggested: v.optional(texts, []),
  }),
  /** How likely a loose file without other evidence is of this dialect. */
  prior: v.optional(v.number(), 0),
  carriers: v.pipe(v.array(carrier), v.minLength(1)),
  /** Folders of other harnesses that this one loads too. */
  readsAlso: v.optional(v.array(v.strictObject({ harness: text, read: texts })), []),
  /** Scopes from the one that wins to the one that yields, and whether the loser is hidden or merged into. */
  layers: v.strictObject({
    order: v.array(v.picklist(['managed', 'project', 'user'])),
    merge: v.picklist(['shadow', 'deep']),
  }),
  prompt: v.strictObject({ main: v.nullable(promptEffect()), child: v.nullable(promptEffect()) }),
  frontMatter: v.strictObject({
    /** A repair the harness makes itself before it gives up. */
    repairs: v.optional(v.picklist(['block-colons', 'quote-special', 'by-lines', 'anything'])),
    /** What its YAML parser accepts although YAML does not. */
    tolerates: v.optional(v.array(v.picklist(['duplicate-keys', 'tabs', 'control-characters', 'nul'])), []),
    unparsable: consequence,
    /** Where its repair changed the text and it still cannot be read; as `unparsable` where nothing is said. */
    beyondRepair: v.optional(consequence),
    /** No front matter at all. */
    absent: consequence,
    /**
     * What anything besides three dashes does: at the opening fence (white space, a byte order mark), or after the
     * dashes of the closing one. White space is harmless where nothing is said.
     */
    fences: v.optional(
      v.strictObject({ opening: consequence, closing: consequence, byteOrderMark: v.optional(v.literal('accepted')) }),
    ),
  }),
  unknownKeys: consequence,
  /** What a value of the wrong shape does, where its key does not say otherwise. */
  invalidValue: consequence,
  fields: v.record(v.picklist(Object.keys(concepts) as [keyof typeof concepts]), v.nullable(field)),
  /** Keys the harness knows that no concept covers. */
  nativeKeys: v.optional(v.record(text, nativeKey), {}),
  access,
  units: v.record(text, unit),
  /** How MCP tools are named: one tool, and all of a server. */
  mcp: v.nullable(
    v.strictObject({
      tool: text,
      server: v.optional(text),
      /** What a whole name must look like, where not every name of that form is accepted. */
      pattern: v.optional(pattern),
      /** Server and tool cannot be told apart in the name, because both may contain what stands between them. */
      flat: v.optional(v.boolean()),
    }),
  ),
  words: v.record(text, word),
  models,
  colors: v.optional(v.record(text, text)),
  composition: v.strictObject({
    mechanism: v.picklist(['import', 'include', 'inline', 'reference', 'none']),
    syntax: v.optional(text),
    note: v.optional(text),
  }),
  paths: v.strictObject({
    root: text,
    instructions: v.optional(text),
    rootVariable: v.nullable(text),
    skills: v.optional(texts, []),
  }),
  /** What must be true before project agents are read at all. */
  trust: v.optional(v.strictObject({ needs: text, otherwise: consequence })),
  notes: v.optional(texts, []),
  /** How to run the real program, where there is one. */
  oracle: v.optional(oracleSchema),
})

function promptEffect() {
  return v.picklist(['replaces', 'adds', 'wraps'])
}

export type Harness = v.InferOutput<typeof harnessSchema>
export type Carrier = Harness['carriers'][number]
export type FieldSpec = NonNullable<Harness['fields'][keyof typeof concepts]>
export type AccessLayerSpec = Harness['access']['layers'][number]
export type Unit = Harness['units'][string]
export type Consequence = (typeof consequences)[number]
export type Scope = 'project' | 'user' | 'managed'
