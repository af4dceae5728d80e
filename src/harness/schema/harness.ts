/**
 * The schema of a harness file: checked when Troupe is built, and when a user adds one. Whatever is absent does not
 * exist, or is as usual; `complete.ts` says what is usual across sections.
 */
import * as v from 'valibot'
import type { concepts } from '../../model/agent.ts'
import { neutralTools } from '../../model/tools.ts'
import { access, agentType, calls, edition, toolNames } from './access.ts'
import { effective, setting } from './effective.ts'
import { embodySchema, login } from './embody.ts'
import { consequence, field, fieldKeys, nativeKey, oneOrMore, pattern, shape, text, texts } from './field.ts'
import { carriers } from './files.ts'
import { oracleSchema } from './oracle.ts'
import { partSchemas, plugins } from './parts.ts'

const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** How status gets into a harness's prompts, or why it cannot. */
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
 * with this part (`exit` of EnterPlanMode and ExitPlanMode). `lacks`: a call of a foreign word with these parts is not a call of it.
 * `parts`: the name for foreign words with such a part, if it is not the most similar one.
 */
const word = v.nullable(
  v.union([
    text,
    /** A name that only prompts use: keys that grant tools have other names for it. */
    v.pipe(
      v.strictObject({ called: text }),
      v.transform(({ called }) => called),
    ),
    v.strictObject({ partial: text, part: v.optional(text), lacks: v.optional(texts), note: text }),
    v.strictObject({ composite: texts, parts: v.optional(v.record(text, text)), note: v.optional(text) }),
  ]),
)

/** What helps if something has no equivalent, or why nothing does. */
const workaround = v.union([
  v.strictObject({
    /** What an agent should do instead, as part of a sentence in a prompt: "use {say}". */
    say: text,
    /** The same as a name, for calls, code, counts and emphasis; of several, the one that is most like the foreign word. */
    names: v.optional(texts),
    /** What is done with it, in place of "use" and "call". */
    verb: v.optional(text),
    /** Parts of a foreign name that it does not replace: who gets tasks is not helped by writing a list. */
    lacks: v.optional(texts),
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
  /** Ids that the checked version lists, as it writes them; of several spellings, the preferred one first. A map: by provider, for `provider/id`. */
  known: v.optional(
    v.pipe(
      v.union([texts, v.record(text, texts)]),
      v.transform((all) =>
        Array.isArray(all)
          ? all
          : Object.entries(all).flatMap(([provider, ids]) => ids.map((id) => `${provider}/${id}`)),
      ),
    ),
    [],
  ),
  /** A list is an order of preference; otherwise there is one model, even if other shapes are accepted. */
  lists: v.optional(v.boolean(), false),
  /** The word for "the parent's model", or null if the key is left out. */
  inherit: v.optional(v.nullable(text), null),
  /** The consequence of an id that is not accepted. */
  unknown: v.optional(consequence, 'fails-when-used'),
  /** Neutral tier to the id that is written. */
  tiers: v.optional(v.record(text, text), {}),
})

const evidenceWords = ['observed', 'claimed', 'suggested'] as const

export const harnessSchema = v.strictObject({
  $schema: v.optional(text),
  id: v.pipe(text, v.regex(/^[a-z][a-z0-9-]*$/)),
  title: text,
  /** Harnesses (a fork's original) and shared parts (`shared/...`) that this file only says the difference to. */
  extends: v.optional(oneOrMore(text)),
  /** What is called differently in the places of files that it inherits: `{ opencode: kilo }` for a fork. */
  renamed: v.optional(v.record(text, text)),
  /** Other names people call it by. */
  alsoCalled: v.optional(texts, []),
  /** A format to write agents in: no program runs it. */
  sourceFormat: v.optional(v.boolean(), false),
  /** The version of the program that these facts were compared with; absent: they were not checked. */
  checked: v.optional(v.strictObject({ version: v.nullable(text), date: v.pipe(text, v.isoDate()) })),
  /** How facts are known: for the file as a whole, and for the parts (paths into this file) that differ. */
  evidence: v.optional(
    v.pipe(
      v.union([
        v.picklist(evidenceWords),
        v.strictObject({
          default: v.optional(v.picklist(evidenceWords), 'claimed'),
          observed: v.optional(texts, []),
          claimed: v.optional(texts, []),
          suggested: v.optional(texts, []),
        }),
      ]),
      v.transform((value) =>
        typeof value === 'string' ? { default: value, observed: [], claimed: [], suggested: [] } : value,
      ),
    ),
    'claimed',
  ),
  /** How likely a loose file without other evidence is of this dialect. */
  prior: v.optional(v.number(), 0),
  carriers,
  /** Folders of other harnesses that this one loads too. */
  readsAlso: v.optional(v.array(v.strictObject({ harness: text, read: texts })), []),
  /**
   * A YAML configuration that defines where agents of this dialect are: the first of these files that exists, the path
   * in it to a file with agents, and the key that names a folder of them.
   */
  sources: v.optional(
    v.strictObject({ files: texts, entry: v.strictObject({ at: text, otherwise: text }), universal: text }),
  ),
  /** What it reads besides agents, by kind. */
  ...partSchemas,
  /** How plugins (or extensions) provide all of these. */
  plugins: v.optional(plugins),
  /** How several definitions of one agent are related. */
  layers: v.optional(
    v.strictObject({
      /** Scopes from highest to lowest precedence; by default all there are: managed, project, user. */
      order: v.optional(v.array(v.picklist(['managed', 'project', 'user']))),
      /** Whether lower ones are hidden or merged. */
      merge: v.optional(v.picklist(['shadow', 'deep']), 'shadow'),
      /** Folders of the project above the working folder: read, and the nearest wins, or not read. */
      above: v.optional(v.picklist(['nearest-wins', 'not-read'])),
      /** Of two files in one folder with the same agent name, the first by file name counts, or it is unspecified. */
      twins: v.optional(v.picklist(['first-file', 'varies'])),
      /** A definition with the name of a built-in agent. */
      builtIn: v.optional(v.picklist(['file-wins', 'built-in-wins'])),
    }),
    {},
  ),
  settings: v.optional(v.array(setting), []),
  /** How definitions, settings and built-in agents become the agents that run, if they are merged key by key. */
  effective: v.optional(effective),
  /** What a prompt does to the harness's own, by role; null: an agent cannot have it. One word: in both. */
  prompt: v.optional(
    v.pipe(
      v.union([
        promptEffect(),
        v.strictObject({
          main: v.optional(v.nullable(promptEffect()), null),
          child: v.optional(v.nullable(promptEffect()), null),
        }),
      ]),
      v.transform((value) => (typeof value === 'string' ? { main: value, child: value } : value)),
    ),
    { child: 'replaces' },
  ),
  frontMatter: v.optional(
    v.strictObject({
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
      unparsable: v.optional(consequence, 'not-loaded'),
      /** Unclosed front matter extends to the end of the file, without a body, if it can be read. */
      unclosed: v.optional(v.literal('read-to-the-end')),
      /** If its repair changed the text and it is still unreadable; defaults to `unparsable`. */
      beyondRepair: v.optional(consequence),
      /** What happens to repaired text when the same process reads it again: after a reload, or in another project. */
      readAgain: v.optional(consequence),
      /** No front matter at all. */
      absent: v.optional(consequence, 'not-loaded'),
      /**
       * The consequence of anything besides three dashes: at the opening fence (white space, a byte order mark), or after
       * the dashes of the closing one. By default white space is harmless.
       */
      fences: v.optional(
        v.strictObject({
          opening: consequence,
          closing: consequence,
          byteOrderMark: v.optional(v.literal('accepted')),
        }),
      ),
    }),
    {},
  ),
  /** The consequence of a key that the harness does not know. */
  unknownKeys: v.optional(consequence, 'ignored'),
  /** The consequence of a value of the wrong shape, unless its key overrides it. */
  invalidValue: v.optional(consequence, 'not-loaded'),
  /** By concept; absent: it cannot be said. */
  fields: v.optional(v.record(fieldKeys, v.nullable(field)), {}),
  /** Keys the harness knows that no concept covers. */
  nativeKeys: v.optional(v.record(text, nativeKey), {}),
  /** More of them, which are accepted without effect: by reason, and by the shape of their values. */
  inertKeys: v.optional(v.record(text, v.record(shape, texts)), {}),
  access: v.optional(access, {}),
  ...toolNames,
  /** By edition of the harness. */
  editions: v.optional(v.record(text, edition), {}),
  /** How MCP tools are named: one tool, and all of a server. */
  mcp: v.optional(
    v.nullable(
      v.pipe(
        v.union([
          text,
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
            /** Names in the place of a server that are sets of the harness's own tools. If a set's tools are unknown, it has none. */
            sets: v.optional(v.array(text)),
          }),
        ]),
        v.transform((value) => (typeof value === 'string' ? { tool: value } : value)),
      ),
    ),
    null,
  ),
  calls: v.optional(calls),
  /** By neutral tool, where the word in a prompt is not the first name that grants it; null: there is none. */
  words: v.optional(v.record(v.picklist(neutralTools), word), {}),
  /** What a tool is called in a prompt that also names another tool with the same word. `command`: run with that tool. */
  apart: v.optional(v.record(v.picklist(neutralTools), v.union([text, v.strictObject({ command: text })])), {}),
  models: v.optional(models, {}),
  colors: v.optional(v.record(text, text)),
  composition: v.optional(
    v.strictObject({
      mechanism: v.picklist(['import', 'include', 'inline', 'reference', 'none']),
      syntax: v.optional(text),
      note: v.optional(text),
    }),
    { mechanism: 'reference', syntax: 'the skill `{name}`' },
  ),
  paths: v.optional(
    v.strictObject({
      /** What follows from its other sections where it is absent: its folder in a project, which is where its agents are. */
      root: v.optional(text),
      instructions: v.optional(text),
      rootVariable: v.optional(v.nullable(text), null),
      skills: v.optional(texts),
      /** Where commands in the form of Markdown files with front matter are. */
      commands: v.optional(text),
    }),
    {},
  ),
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

/** What a file says, checked, before `complete.ts` adds what is usual. */
export type StatedHarness = v.InferOutput<typeof harnessSchema>
export type Unit = StatedHarness['units'][string]
export type FieldSpec = NonNullable<StatedHarness['fields'][keyof typeof concepts]>

export type Harness = Omit<
  StatedHarness,
  | 'extends'
  | 'renamed'
  | 'editions'
  | 'inertKeys'
  | 'tools'
  | 'toolsRead'
  | 'ownTools'
  | 'spellings'
  | 'units'
  | 'fields'
  | 'words'
  | 'layers'
  | 'paths'
  | 'checked'
> & {
  readonly checked: { readonly version: string | null; readonly date: string | null }
  /** The harness whose native names (`native:...`) this one uses: itself, or the one that it is a fork of. */
  readonly family: string
  readonly units: Readonly<Record<string, Unit>>
  /** Every concept. */
  readonly fields: Readonly<Record<keyof typeof concepts, FieldSpec | null>>
  /** Every neutral tool. */
  readonly words: Readonly<Record<string, StatedHarness['words'][keyof StatedHarness['words']] | null>>
  readonly layers: StatedHarness['layers'] & { readonly order: readonly HarnessScope[] }
  readonly paths: StatedHarness['paths'] & { readonly root: string; readonly skills: readonly string[] }
}
export type Carrier = Harness['carriers'][number]
export type AccessLayerSpec = Harness['access']['layers'][number]
export type EffectiveSpec = NonNullable<Harness['effective']>
export type SettingSpec = Harness['settings'][number]
export type AgentType = NonNullable<Harness['agentTypes']>[number]
export type HudProgram = Extract<NonNullable<Harness['hud']>, { program: unknown }>
export type PluginsSpec = NonNullable<Harness['plugins']>
export type HarnessScope = 'project' | 'user' | 'managed'

export type { Each } from './field.ts'
export { type Consequence, consequences } from './field.ts'
