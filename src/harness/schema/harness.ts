/** The schema of a harness file (`harnesses/*.yaml`): checked when Troupe is built, and when a user adds one. */
import * as v from 'valibot'
import { concepts } from '../../model/agent.ts'
import { access, agentType, calls, unit } from './access.ts'
import { effective, setting } from './effective.ts'
import { embodySchema, login } from './embody.ts'
import { consequence, field, nativeKey, pattern, text, texts } from './field.ts'
import { carrier, type componentKinds, components, plugins } from './files.ts'
import { oracleSchema } from './oracle.ts'

/** How status gets into a harness's prompts, or why it cannot. */
const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const hudProgram = v.strictObject({
  /** Folders of section files that are named after this harness. */
  sections: v.optional(v.strictObject({ project: text, user: text })),
  /** The program that does it: its name in the package, and its place in a project. */
  program: v.strictObject({ ships: text, write: text }),
  /** If the harness does not find the program itself: items a settings file must have, by the path of their list. */
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
 * The word for a neutral tool in a prompt: a name, null, partial or composite. `part`: it replaces only foreign words
 * with this part (`exit` of EnterPlanMode and ExitPlanMode). `parts`: the name for foreign words with such a part, if
 * it is not the most similar one.
 */
const word = v.nullable(
  v.union([
    text,
    v.strictObject({ partial: text, part: v.optional(text), note: text }),
    v.strictObject({ composite: texts, parts: v.optional(v.record(text, text)), note: v.optional(text) }),
  ]),
)

/** What helps if something has no equivalent, or why nothing does. */
const workaround = v.union([
  v.strictObject({
    /** What an agent should do instead, as part of a sentence in a prompt: "use {say}". */
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
  /** The meaning of short names that are not tiers themselves: a tier, or a model without its version. */
  means: v.optional(v.record(text, text), {}),
  /** Short names, and the word for the parent's model, are case-insensitive. */
  anyCase: v.optional(v.boolean(), false),
  /** Ids that the checked version lists, as it writes them; of several spellings, the preferred one first. */
  known: v.optional(texts, []),
  /** A list is an order of preference; otherwise there is one model, even if other shapes are accepted. */
  lists: v.optional(v.boolean(), false),
  /** The word for "the parent's model", or null if the key is left out. */
  inherit: v.nullable(text),
  /** The consequence of an id that is not accepted. */
  unknown: consequence,
  /** Neutral tier to the id that is written. */
  tiers: v.record(text, text),
})

export const harnessSchema = v.strictObject({
  $schema: v.optional(text),
  id: v.pipe(text, v.regex(/^[a-z][a-z0-9-]*$/)),
  title: text,
  /** Other names people call it by. */
  alsoCalled: v.optional(texts, []),
  checked: v.strictObject({ version: v.nullable(text), date: v.pipe(text, v.isoDate()) }),
  /** How facts are known: for the file as a whole, and for the parts (paths into this file) that differ. */
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
   * A YAML configuration that defines where agents of this dialect are: the first of these files that exists, the path
   * in it to a file with agents, and the key that names a folder of them.
   */
  sources: v.optional(
    v.strictObject({ files: texts, entry: v.strictObject({ at: text, otherwise: text }), universal: text }),
  ),
  /** Other files it reads, and where, so that none of them is treated as an agent. */
  components: v.optional(components, {}),
  /** How plugins (or extensions) provide agents. */
  plugins: v.optional(plugins),
  /** Scopes from highest to lowest precedence, and whether lower ones are hidden or merged. */
  layers: v.strictObject({
    order: v.array(v.picklist(['managed', 'project', 'user'])),
    merge: v.picklist(['shadow', 'deep']),
    /** Folders of the project above the working folder: read, and the nearest wins, or not read. */
    above: v.optional(v.picklist(['nearest-wins', 'not-read'])),
    /** Of two files in one folder with the same agent name, the first by file name counts, or it is unspecified. */
    twins: v.optional(v.picklist(['first-file', 'varies'])),
    /** A definition with the name of a built-in agent. */
    builtIn: v.optional(v.picklist(['file-wins', 'built-in-wins'])),
  }),
  settings: v.optional(v.array(setting), []),
  /** How definitions, settings and built-in agents become the agents that run, if they are merged key by key. */
  effective: v.optional(effective),
  prompt: v.strictObject({ main: v.nullable(promptEffect()), child: v.nullable(promptEffect()) }),
  frontMatter: v.strictObject({
    /** A repair the harness itself tries before it fails. */
    repairs: v.optional(v.picklist(['block-colons', 'quote-special', 'by-lines', 'anything'])),
    /** Its YAML parser supports merge keys (`<<`). */
    mergeKeys: v.optional(v.boolean()),
    /** Plain scalars are read as YAML 1.1: days are times, and numbers with a leading zero are octal. */
    oldYaml: v.optional(v.boolean()),
    /** What its YAML parser accepts although YAML does not allow it. */
    tolerates: v.optional(
      v.array(v.picklist(['duplicate-keys', 'tabs', 'control-characters', 'nul', 'flow-at-margin'])),
      [],
    ),
    unparsable: consequence,
    /** Unclosed front matter extends to the end of the file, without a body, if it can be read. */
    unclosed: v.optional(v.literal('read-to-the-end')),
    /** If its repair changed the text and it is still unreadable; defaults to `unparsable`. */
    beyondRepair: v.optional(consequence),
    /** What happens to repaired text when the same process reads it again: after a reload, or in another project. */
    readAgain: v.optional(consequence),
    /** No front matter at all. */
    absent: consequence,
    /**
     * The consequence of anything besides three dashes: at the opening fence (white space, a byte order mark), or after
     * the dashes of the closing one. By default white space is harmless.
     */
    fences: v.optional(
      v.strictObject({ opening: consequence, closing: consequence, byteOrderMark: v.optional(v.literal('accepted')) }),
    ),
  }),
  unknownKeys: consequence,
  /** The consequence of a value of the wrong shape, unless its key overrides it. */
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
      /** The pattern of a whole name, if not every name of that form is accepted. */
      pattern: v.optional(pattern),
      /** Server and tool cannot be separated in the name, because both may contain the separator. */
      flat: v.optional(v.boolean()),
      /** Without such a server, the part after the separator is treated as a tool of the harness. */
      fallsBack: v.optional(v.boolean()),
      /** What joins server and tool in requests, if such a name counts in a list too. */
      joint: v.optional(text),
      /** Names that no server of a user can have. */
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
    /** Where commands in the form of Markdown files with front matter are. */
    commands: v.optional(text),
  }),
  /** The built-in agents, by purpose; null if there is none to call. */
  builtInAgents: v.optional(
    v.strictObject({
      general: v.optional(v.nullable(text)),
      explore: v.optional(v.nullable(text)),
      plan: v.optional(v.nullable(text)),
    }),
    {},
  ),
  /** All kinds of agents, if others cannot be defined; absent: they can. */
  agentTypes: v.optional(v.pipe(v.array(agentType), v.minLength(1))),
  /** By neutral tool or concept. */
  workarounds: v.optional(v.record(text, workaround), {}),
  /** The condition for reading project agents at all. */
  trust: v.optional(v.strictObject({ needs: text, otherwise: consequence })),
  /** How status sections get into its prompts (`troupe hud`). */
  hud: v.optional(hudSpec),
  notes: v.optional(texts, []),
  /** How to run the real program, if there is one. */
  oracle: v.optional(oracleSchema),
  /** How a person logs in, and how to detect a login. */
  login: v.optional(login),
  /** How to run an agent in it for a whole task. */
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
