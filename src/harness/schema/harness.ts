/** The shape of a harness file (`harnesses/*.yaml`): checked when Troupe is built, and when a user brings their own. */
import * as v from 'valibot'
import { concepts } from '../../model/agent.ts'
import { access, agentType, calls, unit } from './access.ts'
import { effective, setting } from './effective.ts'
import { embodySchema, login } from './embody.ts'
import { consequence, field, nativeKey, pattern, text, texts } from './field.ts'
import { carrier, type componentKinds, components, plugins } from './files.ts'
import { oracleSchema } from './oracle.ts'

/** The part of a harness file that says how status gets into its prompts, or why it cannot. */
const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const hudProgram = v.strictObject({
  /** Folders of section files that are named after this harness. */
  sections: v.optional(v.strictObject({ project: text, user: text })),
  /** The program that does it: its name in the package, and where it goes in a project. */
  program: v.strictObject({ ships: text, write: text }),
  /** Where the harness does not find the program by itself: items that a file of settings must have, by the way to their list. */
  settings: v.optional(v.strictObject({ file: text, items: v.record(text, json) })),
  /** What reaches the model, and when. */
  says: texts,
})

const hudSpec = v.union([
  hudProgram,
  v.strictObject({
    /** Why Troupe has no way to do it. */
    none: text,
  }),
])

/**
 * The word for a neutral tool in a prompt: a name, null, partial or composite. `part`: it stands only for words of others
 * with this part (`exit` of EnterPlanMode and ExitPlanMode). `parts`: the name for words of others with such a part, where
 * it is not the one that resembles them most.
 */
const word = v.nullable(
  v.union([
    text,
    v.strictObject({ partial: text, part: v.optional(text), note: text }),
    v.strictObject({ composite: texts, parts: v.optional(v.record(text, text)), note: v.optional(text) }),
  ]),
)

/** What helps where something has no equivalent, or why nothing does. */
const workaround = v.union([
  v.strictObject({
    /** What an agent is told to do instead, as it can stand in a sentence of a prompt: "use {say}". */
    say: text,
    /** For the person who converts. */
    note: text,
  }),
  v.strictObject({ none: text }),
])

const models = v.strictObject({
  /** What an id must look like to be accepted. */
  pattern: v.optional(pattern),
  /** Short names the harness understands. */
  aliases: v.optional(texts, []),
  /** What short names stand for that are not tiers themselves: a tier, or a model without its version. */
  means: v.optional(v.record(text, text), {}),
  /** Short names, and the word for the parent's model, are read whatever their case. */
  anyCase: v.optional(v.boolean(), false),
  /** Ids that the checked version lists, as it writes them; of a model with several spellings, the one to write first. */
  known: v.optional(texts, []),
  /** A list is an order of preference; elsewhere there is one model, whatever shapes are read without complaint. */
  lists: v.optional(v.boolean(), false),
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
  /**
   * A configuration in YAML that says where agents are written in this dialect: the first of these files that is there, the
   * way in it to a file that holds agents, and the key that names a folder of them.
   */
  sources: v.optional(
    v.strictObject({ files: texts, entry: v.strictObject({ at: text, otherwise: text }), universal: text }),
  ),
  /** What else it reads, and where, so that nothing of that is taken for an agent. */
  components: v.optional(components, {}),
  /** How plugins (or extensions) bring agents along. */
  plugins: v.optional(plugins),
  /** Scopes from the one that wins to the one that yields, and whether the loser is hidden or merged into. */
  layers: v.strictObject({
    order: v.array(v.picklist(['managed', 'project', 'user'])),
    merge: v.picklist(['shadow', 'deep']),
    /** Folders of the project above the one where the harness is started: read, and the nearest wins, or not read. */
    above: v.optional(v.picklist(['nearest-wins', 'not-read'])),
    /** Of two files in one folder with one name, the first by the names of the files counts, or nobody can say which. */
    twins: v.optional(v.picklist(['first-file', 'varies'])),
    /** A definition with the name of an agent of the harness itself. */
    builtIn: v.optional(v.picklist(['file-wins', 'built-in-wins'])),
  }),
  settings: v.optional(v.array(setting), []),
  /** How definitions, settings and built-in agents become the agents that run, where they are merged key by key. */
  effective: v.optional(effective),
  prompt: v.strictObject({ main: v.nullable(promptEffect()), child: v.nullable(promptEffect()) }),
  frontMatter: v.strictObject({
    /** A repair the harness makes itself before it gives up. */
    repairs: v.optional(v.picklist(['block-colons', 'quote-special', 'by-lines', 'anything'])),
    /** Its YAML parser knows merge keys (`<<`). */
    mergeKeys: v.optional(v.boolean()),
    /** Plain words are read by YAML 1.1: days are times, and numbers that begin with a zero are octal. */
    oldYaml: v.optional(v.boolean()),
    /** What its YAML parser accepts although YAML does not. */
    tolerates: v.optional(
      v.array(v.picklist(['duplicate-keys', 'tabs', 'control-characters', 'nul', 'flow-at-margin'])),
      [],
    ),
    unparsable: consequence,
    /** What is never closed ends with the file, and is no body, where it can be read. */
    unclosed: v.optional(v.literal('read-to-the-end')),
    /** Where its repair changed the text and it still cannot be read; as `unparsable` where nothing is said. */
    beyondRepair: v.optional(consequence),
    /** What needed the repair, when the same process reads it again: after a reload, or in another project. */
    readAgain: v.optional(consequence),
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
      /** Without such a server, what stands behind it is taken for a tool of the harness's own. */
      fallsBack: v.optional(v.boolean()),
      /** What joins server and tool in requests, where such a name counts in a list too. */
      joint: v.optional(text),
      /** Names that no server of a user's can have. */
      reserved: v.optional(v.array(text)),
    }),
  ),
  calls: v.optional(calls),
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
    /** Where commands live that are Markdown files with front matter. */
    commands: v.optional(text),
  }),
  /** The agents that are always there, by what they are for; null where there is none to call. */
  builtInAgents: v.optional(
    v.strictObject({
      general: v.optional(v.nullable(text)),
      explore: v.optional(v.nullable(text)),
      plan: v.optional(v.nullable(text)),
    }),
    {},
  ),
  /** All the kinds of agents there are, where nobody can define others; absent: anybody can. */
  agentTypes: v.optional(v.pipe(v.array(agentType), v.minLength(1))),
  /** By neutral tool or concept. */
  workarounds: v.optional(v.record(text, workaround), {}),
  /** What must be true before project agents are read at all. */
  trust: v.optional(v.strictObject({ needs: text, otherwise: consequence })),
  /** How status sections get into its prompts (`troupe hud`). */
  hud: v.optional(hudSpec),
  notes: v.optional(texts, []),
  /** How to run the real program, where there is one. */
  oracle: v.optional(oracleSchema),
  /** How it gets an account, and how to tell that it has one. */
  login: v.optional(login),
  /** How to be an agent in it for a whole piece of work. */
  embody: v.optional(embodySchema),
})

function promptEffect() {
  return v.picklist(['replaces', 'adds', 'wraps'])
}

export type Harness = v.InferOutput<typeof harnessSchema>
export type Carrier = Harness['carriers'][number]
export type FieldSpec = NonNullable<Harness['fields'][keyof typeof concepts]>
export type AccessLayerSpec = Harness['access']['layers'][number]
export type Unit = Harness['units'][string]
export type EffectiveSpec = NonNullable<Harness['effective']>
export type SettingSpec = Harness['settings'][number]
export type AgentType = NonNullable<Harness['agentTypes']>[number]
export type HudProgram = Extract<NonNullable<Harness['hud']>, { program: unknown }>
export type ComponentKind = (typeof componentKinds)[number]
export type PluginsSpec = NonNullable<Harness['plugins']>
export type HarnessScope = 'project' | 'user' | 'managed'

export type { Each } from './field.ts'
export { type Consequence, consequences } from './field.ts'
