/** How a harness arrives at the agents it runs: sources in order, built-in agents, settings files. */
import * as v from 'valibot'
import { concepts } from '../../model/agent.ts'
import { oneOrMore, text, texts } from './field.ts'

const scalar = v.union([v.string(), v.number(), v.boolean()])

/** Files of one kind inside a source, as globs, in the order in which they are read. */
const reading = v.strictObject({
  carrier: text,
  /** Empty if the source is a file or a text itself. */
  read: v.optional(texts, []),
})

/** Where to look: `~` and `${VARIABLE:-default}` are expanded; an empty result does not exist. */
const place = {
  /** Folders; relative ones are searched in the project, in the order of `walk`. */
  folder: v.optional(oneOrMore(text)),
  /** From the root of the project down to the working folder, or from there up. */
  walk: v.optional(v.picklist(['down', 'up'])),
  /** Variables any of which disables it. */
  unless: v.optional(texts, []),
  /** By the last part of a folder: variables any of which disables that folder. */
  unlessIn: v.optional(v.record(text, texts), {}),
}

const source = v.strictObject({
  /** In a list of sources, for people: "the user's configuration". */
  title: text,
  ...place,
  /** One file. */
  file: v.optional(text),
  /** A variable that contains the text itself. */
  variable: v.optional(text),
  reads: v.array(reading),
})

const answer = v.picklist(['allow', 'ask', 'deny'])

/** A rule map in the harness's spelling; patterns may contain `{place}`, `{place:relative}` and `{skill}`. */
const ruleMap = v.record(text, v.union([answer, v.record(text, answer)]))

const builtIn = v.strictObject({
  /** By native key. */
  fields: v.optional(v.record(text, scalar), {}),
  /** Texts of the harness itself, by key: only their hashes, because they are its own words. */
  own: v.optional(v.record(text, text), {}),
  rules: v.optional(ruleMap, {}),
})

/** Everything is merged key by key; the rules of all layers become one list. */
export const effective = v.strictObject({
  /** What marks the root of a project: a file, or a folder with something in it; and the root without a marker. */
  root: v.strictObject({ marker: text, holds: text, otherwise: text }),
  /** From lowest to highest precedence. */
  sources: v.array(source),
  /** Keys of a configuration as a whole. */
  settings: v.strictObject({
    /** Rules for every agent, the older spelling of them, and a variable with more of them. */
    rules: text,
    legacyRules: v.optional(text),
    rulesVariable: v.optional(text),
    defaultAgent: v.optional(text),
    /** A list of folders of skills. */
    skills: v.optional(text),
    /** Keys that can change agents in ways known only at run time: key to the reason. */
    unknowable: v.optional(v.record(text, text), {}),
  }),
  /** Folders that rules refer to. */
  places: v.optional(v.record(text, text), {}),
  /** Folders whose skills (`SKILL.md`) rules refer to, in the order in which they are found. */
  skills: v.optional(v.array(v.strictObject({ ...place, sources: v.optional(v.boolean()), read: text })), []),
  rules: v.strictObject({
    /** Words at the start of a pattern that mean the home folder: as a folder, or as a prefix of anything. */
    home: v.strictObject({ folder: texts, prefix: texts }),
    /** Before all others. */
    first: ruleMap,
    /** Behind all others, unless a rule denies that very pattern. */
    last: ruleMap,
  }),
  /** The agents that exist without any definition. */
  builtIn: v.record(text, builtIn),
})

/** Settings files, beside the definitions, that affect agents. */
const statement = v.strictObject({
  /** The path to it; `{name}` is the agent's. */
  at: text,
  /** Counts only if the list there has one of these items. */
  items: v.optional(texts),
  /** The concept that it sets: to true with `items`, otherwise to the value there. */
  sets: v.optional(v.picklist(Object.keys(concepts) as [keyof typeof concepts])),
  /** The key means the opposite of the concept. */
  negated: v.optional(v.boolean()),
  /** A list of tools that counts like this access key of a definition, for every agent; items with a pattern do not. */
  like: v.optional(text),
  /** An effect that cannot be shown as a value. */
  note: v.optional(text),
})

export const setting = v.strictObject({
  title: text,
  format: v.picklist(['json', 'jsonc', 'toml']),
  /** From lowest to highest precedence; relative ones in the working folder, or at the project's root. */
  files: v.array(v.union([text, v.strictObject({ root: text })])),
  says: v.array(statement),
})
