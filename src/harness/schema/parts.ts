/**
 * What a harness reads besides agents, a file for each kind in the harness's folder: where it is, what it is called
 * there, and whose places the harness reads too.
 */
import * as v from 'valibot'
import { componentKinds } from '../../model/component.ts'
import { type SkillConcept, skillConceptNames } from '../../model/skill.ts'
import { oneOrMore, pattern, text, texts } from './field.ts'

/** Files that hold components of one kind, as globs: the file itself, or the one that makes its folder a component. */
const holder = v.pipe(
  v.union([
    text,
    v.strictObject({
      read: oneOrMore(text),
      /** The map in the file with one component per key; absent: the file is one component. */
      at: v.optional(text),
      /** The map may also be the whole file. */
      bare: v.optional(v.boolean(), false),
      /** Only where none of these files is in the same folder. */
      unless: v.optional(texts, []),
      /** Not read by the program that was checked, but by this edition of it. */
      edition: v.optional(text),
      /** Read only when an agent touches a file beside it. */
      onDemand: v.optional(v.boolean(), false),
    }),
  ]),
  v.transform((value) =>
    typeof value === 'string' ? { read: [value], bare: false, unless: [], onDemand: false } : value,
  ),
)

const holders = v.optional(oneOrMore(holder), [])

/** What a component is called: `{name}`, and in a plugin `{plugin}`. */
const called = v.strictObject({ project: v.optional(text), plugin: v.optional(text) })

const places = {
  project: holders,
  user: holders,
  /** Relative to the folder of a plugin. */
  plugin: holders,
  /** Places of others that this harness reads too. */
  also: v.optional(v.strictObject({ project: holders, user: holders }), {}),
  /** Where one is written; by default, where they are read. */
  write: v.optional(text),
  called: v.optional(called, {}),
  /** Of several with one name: which place wins, the first of these; absent: all of them count. */
  order: v.optional(v.array(v.picklist(['managed', 'user', 'project', 'plugin']))),
}

const nameFrom = v.picklist(['stem', 'relative', 'folder', 'key', 'path'])

function naming(usual: v.InferOutput<typeof nameFrom>) {
  return {
    /** What names one: its file, its path below the folder, its folder, the key of its map, its whole path. */
    name: v.optional(nameFrom, usual),
    /** Between the parts of a relative path. */
    separator: v.optional(text, '/'),
    /** The key in it that names it instead. */
    nameKey: v.optional(text),
  }
}

function part(usual: v.InferOutput<typeof nameFrom>) {
  return v.optional(v.strictObject({ ...places, ...naming(usual) }))
}

/** Where a concept of a skill is said: a key of its front matter, or a value in a file beside it. */
const skillKey = v.union([
  text,
  v.strictObject({
    key: text,
    /** Only a list is accepted. */
    list: v.optional(v.boolean(), false),
    /** Short names that mean something elsewhere are not understood here. */
    literal: v.optional(v.boolean(), false),
  }),
  v.strictObject({ file: text, at: text, is: v.boolean() }),
])

const everyConcept = Object.fromEntries(skillConceptNames.map((one) => [one, skillKey])) as Record<
  SkillConcept,
  typeof skillKey
>

const skills = v.optional(
  v.strictObject({
    ...places,
    ...naming('folder'),
    keys: v.optional(v.partial(v.strictObject(everyConcept)), {}),
    /** Keys without which one is not loaded. */
    requires: v.optional(v.array(v.picklist(['name', 'description'])), []),
    /** What a name must look like, and the most characters of a name and of a description. */
    names: v.optional(v.strictObject({ pattern: v.optional(pattern), max: v.optional(v.number()) }), {}),
    longestDescription: v.optional(v.number()),
    /** What its text expands when the model loads it; absent: nothing. */
    expands: v.optional(
      v.strictObject({
        /** `$ARGUMENTS`, `$0`, a command in backticks behind an exclamation mark, and `@path`. */
        codec: v.picklist(['claude-code']),
        /** The variable for the skill's own folder. */
        folder: v.optional(text),
        /** Other variables. */
        variables: v.optional(texts, []),
      }),
    ),
  }),
)

export const partSchemas = {
  skills,
  commands: part('relative'),
  servers: part('key'),
  instructions: part('path'),
  hooks: part('key'),
}

/** By kind of component: the part of a harness file about it. */
export const partOfKind = {
  skill: 'skills',
  command: 'commands',
  server: 'servers',
  instructions: 'instructions',
  hook: 'hooks',
} as const

export const plugins = v.strictObject({
  /** Files that make a folder a plugin, relative to that folder: the first that exists counts. */
  manifests: texts,
  /** What a manifest must hold at a path, where other files have its name; or must not. */
  marked: v.optional(v.strictObject({ at: text, pattern: text, not: v.optional(v.boolean(), false) })),
  /** Files that list the plugins of a repository, relative to its root. */
  marketplaces: v.optional(texts, []),
  /** The kind of its agent files; project places are relative to the plugin's folder. Absent: it has no agents. */
  carrier: v.optional(text),
  /** A folder is a plugin even without a manifest, if a marketplace names it. */
  unmarked: v.optional(v.boolean(), false),
  /**
   * The separator between the plugin, folders in its agents' folder and the agent; absent: only the agent's name
   * counts.
   */
  separator: v.optional(text),
  /** The pattern for a plugin's name; with another name it is not loaded. */
  name: v.optional(text),
  /** The key of a manifest that names agent files: then the usual folder is not read. */
  agents: v.optional(text),
  /** What a path in it must look like; otherwise the plugin is not loaded. */
  agentPath: v.optional(text),
  /** The path in a marketplace to the folder that contains plugins with plain names. */
  pluginRoot: v.optional(text),
  /** The keys of a manifest that name other components, by a path, a list of paths, or the map itself. */
  keys: v.optional(
    v.record(
      v.picklist(componentKinds),
      v.strictObject({
        key: text,
        /** What is named is read besides the usual places, and not in place of them. */
        adds: v.optional(v.boolean(), false),
      }),
    ),
    {},
  ),
  /** What else it reads in a plugin, in words for people, and where: Troupe knows no more about it. */
  others: v.optional(v.record(text, texts), {}),
  /** Whose plugins it loads too, by harness, and which kinds of components in them. */
  loads: v.optional(v.record(text, v.array(v.picklist(['agent', ...componentKinds]))), {}),
})
