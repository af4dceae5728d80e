/** How a harness arrives at the agents it runs: sources in order, built-in agents, settings files. */
import * as v from 'valibot'
import { concepts } from '../../model/agent.ts'
import { oneOrMore, text, texts } from './field.ts'

const scalar = v.union([v.string(), v.number(), v.boolean()])

/** Files of one kind inside a source, as globs, in the order in which they are read. */
const reading = v.strictObject({
  carrier: text,
  /** None where the source is a file or a text itself. */
  read: v.optional(texts, []),
  /** Keys that are set in every definition of them, whatever it says. */
  sets: v.optional(v.record(text, scalar), {}),
})

/** Where to look: `~` and `${VARIABLE:-default}` are understood; what comes out empty is not there. */
const place = {
  /** Folders; relative ones are looked for in the project, `walk` says in which order. */
  folder: v.optional(oneOrMore(text)),
  /** From the root of the project down to where the program is started, or from there up. */
  walk: v.optional(v.picklist(['down', 'up'])),
  /** Variables any of which switches it off. */
  unless: v.optional(texts, []),
  /** By the last part of a folder: variables any of which switches that folder off. */
  unlessIn: v.optional(v.record(text, texts), {}),
}

const source = v.strictObject({
  /** In a list of sources, for people: "the user's configuration". */
  title: text,
  ...place,
  /** One file. */
  file: v.optional(text),
  /** A variable that holds the text itself. */
  variable: v.optional(text),
  reads: v.array(reading),
})

const answer = v.picklist(['allow', 'ask', 'deny'])

/** A map of rules as the harness spells it; patterns may hold `{place}`, `{place:relative}` and `{skill}`. */
const ruleMap = v.record(text, v.union([answer, v.record(text, answer)]))

const builtIn = v.strictObject({
  /** By the harness's own keys. */
  fields: v.optional(v.record(text, scalar), {}),
  /** Texts of the harness itself, by key: their fingerprints. They are its own words, and are not repeated here. */
  own: v.optional(v.record(text, text), {}),
  rules: v.optional(ruleMap, {}),
})

/** Everything is merged key by key; the rules of all layers become one list. */
export const effective = v.strictObject({
  /** What marks the root of a project: a file, or a folder that holds something; and where it begins without that. */
  root: v.strictObject({ marker: text, holds: text, otherwise: text }),
  /** From the one that yields to the one that wins. */
  sources: v.array(source),
  /** Keys of a configuration as a whole. */
  settings: v.strictObject({
    /** Rules for every agent, the older spelling of them, and a variable with more of them. */
    rules: text,
    legacyRules: v.optional(text),
    rulesVariable: v.optional(text),
    /** An older map of definitions, which is merged last of all, and what it sets in each. */
    legacyAgents: v.optional(v.strictObject({ at: text, sets: v.record(text, scalar) })),
    defaultAgent: v.optional(text),
    /** A list of folders of skills. */
    skills: v.optional(text),
    /** Keys that can change agents in ways that only the running program knows: key to the reason. */
    unknowable: v.optional(v.record(text, text), {}),
  }),
  /** Folders that rules speak of. */
  places: v.optional(v.record(text, text), {}),
  /** Folders whose skills (`SKILL.md`) rules speak of, in the order in which they are found. */
  skills: v.optional(v.array(v.strictObject({ ...place, sources: v.optional(v.boolean()), read: text })), []),
  rules: v.strictObject({
    /** Words at the start of a pattern that stand for the home folder: as a folder, or with whatever follows. */
    home: v.strictObject({ folder: texts, prefix: texts }),
    /** Before all others. */
    first: ruleMap,
    /** Behind all others, unless a rule denies that very pattern. */
    last: ruleMap,
  }),
  /** The agents that are there before anybody defines one. */
  builtIn: v.record(text, builtIn),
})

/** Files of settings, beside the definitions, that say something about agents. */
const statement = v.strictObject({
  /** The keys that lead to it; `{name}` is the agent's. */
  at: text,
  /** Counts only where the list there has one of these items. */
  items: v.optional(texts),
  /** The concept that it decides; with `items` it is true, and otherwise what stands there. */
  sets: v.optional(v.picklist(Object.keys(concepts) as [keyof typeof concepts])),
  /** The key says the opposite of the concept. */
  negated: v.optional(v.boolean()),
  /** A list of tools that counts like this access key of a definition, for every agent; what has a pattern does not. */
  like: v.optional(text),
  /** What it does that cannot be shown as a value. */
  note: v.optional(text),
})

export const setting = v.strictObject({
  title: text,
  format: v.picklist(['json', 'jsonc', 'toml']),
  /** From the one that yields to the one that wins; relative ones where the harness is started, or at the project's root. */
  files: v.array(v.union([text, v.strictObject({ root: text })])),
  says: v.array(statement),
})
