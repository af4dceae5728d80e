/** Where agents and other components live: carriers, component globs, plugins. */
import * as v from 'valibot'
import { consequence, oneOrMore, pattern, text, texts } from './field.ts'

/** Where files of one kind live in one scope, as globs; `~` and `${VAR:-default}` are understood in user places. */
const place = v.strictObject({
  /** None: what Troupe writes there stands for an agent; what it finds there is something else. */
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
  /** How names are formed; absent: any name that is accepted is kept. */
  convention: v.optional(v.picklist(['kebab-case', 'snake_case', 'camelCase', 'PascalCase'])),
  /** Names of the harness's own agents, which are called instead of one that is defined. */
  taken: v.optional(texts, []),
  /** Only text is a name, not a number or a list; `exact`: white space around it counts too. */
  only: v.optional(v.picklist(['text', 'exact'])),
  invalid: v.optional(consequence),
})

const prompt = v.strictObject({
  in: v.picklist(['body', 'key', 'beside']),
  /** For `beside`: a key that may hold it instead. */
  key: v.optional(text),
  /** For `key`: the text is what the body of a file would be, with the line ends at its edges. */
  whole: v.optional(v.boolean()),
  /** For `beside`: the file, relative to the agent's own. */
  file: v.optional(text),
  /** References that are replaced by what they name when the prompt is read: `{file:...}`, `{env:...}`. */
  expands: v.optional(v.array(v.picklist(['file', 'env']))),
  /** What a reference to a file that is not there does. */
  missing: v.optional(consequence),
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
export const carrier = v.strictObject({
  id: text,
  title: text,
  format: v.picklist(['markdown', 'toml', 'json', 'jsonc', 'yaml', 'prs']),
  /** Read as part of a plugin (`plugins` of the harness file), and not where it lies in a project. */
  plugin: v.optional(v.boolean()),
  project: v.optional(place),
  user: v.optional(place),
  managed: v.optional(place),
  /** Agents inside a file: a map of name to agent, or a list. Absent: the file is one agent. */
  agents: v.optional(v.strictObject({ at: v.string(), as: v.picklist(['map', 'list']) })),
  /** Keys at the agents' place that are not agents at all, or that mark a file as something else. */
  name,
  prompt,
  /**
   * The rules of a tool are a general answer and a list of `pattern:answer`, split at the last separator; absent: a map of
   * patterns to answers.
   */
  rules: v.optional(v.strictObject({ general: text, list: text, separator: text })),
  /** What the prompt expands is expanded everywhere in the text, before it is parsed. */
  expandsText: v.optional(v.boolean()),
  /**
   * A file above the folder of this kind that can declare a definition: under its name, with the path to it and what it
   * leaves out. Then it needs neither name nor prompt of its own.
   */
  declared: v.optional(
    v.strictObject({
      file: text,
      format: v.picklist(['toml', 'json', 'jsonc']),
      at: text,
      /** The key of the path, and the folder of this kind as the path begins. */
      by: text,
      folder: text,
      description: text,
    }),
  ),
  /** Its agents are declared by name: one of them wins over a file that was only found and is called the same. */
  declares: v.optional(v.boolean()),
  /** Holds a prompt and nothing else: a Markdown file without front matter. */
  plain: v.optional(v.boolean()),
  /** What happens to a file of this kind that cannot be parsed, or that holds a wrong value, where it is not the usual. */
  unparsable: v.optional(consequence),
  invalidValue: v.optional(consequence),
  /** What happens to one without front matter, where it is not the usual. */
  absent: v.optional(consequence),
  /** Folders beside these files that hold skills for them. */
  skills: v.optional(texts),
  /** Keys that this kind of file may carry but that are not honoured in it. */
  drops: v.optional(texts),
})

/** Kinds of files beside agents; `rules` are instructions for some files only. */
export const componentKinds = [
  'skill',
  'command',
  'hooks',
  'servers',
  'instructions',
  'rules',
  'settings',
  'manifest',
] as const

/** By kind: globs, relative to the root of a project or of a plugin. */
export const components = v.record(v.picklist(componentKinds), texts)

export const plugins = v.strictObject({
  /** Files that make a folder a plugin, seen from that folder: the first that is there counts. */
  manifests: texts,
  /** Files that name the plugins of a repository, seen from its root. */
  marketplaces: v.optional(texts, []),
  /** The kind of file that its agents are; its project places are seen from the plugin's folder. */
  carrier: text,
  /** A folder is a plugin also without a manifest, where a marketplace names it. */
  unmarked: v.optional(v.boolean(), false),
  /** What stands between the plugin, the folders in its agents' folder and the agent; absent: only the agent's name counts. */
  separator: v.optional(text),
  /** What a plugin may be called; with another name it is not loaded. */
  name: v.optional(text),
  /** The key of a manifest that names files of agents: then the usual folder is not looked into. */
  agents: v.optional(text),
  /** What a path in it must look like; otherwise the plugin is not loaded. */
  agentPath: v.optional(text),
  /** The way in a marketplace to the folder that plain names of plugins are below. */
  pluginRoot: v.optional(text),
  /** What else is in a plugin. */
  components: v.optional(components, {}),
})
