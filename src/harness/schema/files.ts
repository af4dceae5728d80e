/** Where agents are: the kinds of files that hold them. */
import * as v from 'valibot'
import { consequence, field, fieldKeys, nativeKey, oneOrMore, pattern, text, texts } from './field.ts'

/**
 * Where files of one kind are in one scope, as globs; `~` and `${VAR:-default}` are expanded in user places. A text is
 * read, and says where to write: `.x/agents/*.md` is written as `.x/agents/{name}.md`.
 */
const place = v.pipe(
  v.union([
    text,
    v.strictObject({
      /** Empty: Troupe writes agents there, but files found there are something else. */
      read: oneOrMore(text),
      write: v.optional(text),
      /** File names (globs) inside that the harness skips, and folders (`drafts/`). */
      ignore: v.optional(texts),
    }),
  ]),
  v.transform((value): ScopePlace => {
    if (typeof value !== 'string') return value
    const write = writtenAt(value)
    return { read: [value], ...(write === undefined ? {} : { write }) }
  }),
)

export interface ScopePlace {
  readonly read: string[]
  readonly write?: string | undefined
  readonly ignore?: string[] | undefined
}

function writtenAt(read: string): string | undefined {
  const plain = read.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
  const [, folder, ending] = /^([^*?{]*\/)(?:\*\*\/)?\*(\.[\w.]+)$/.exec(plain) ?? []
  if (folder !== undefined) return `${folder}{name}${ending}`
  return /[*?{]/.test(plain) ? undefined : plain
}

const name = v.strictObject({
  /** The key that names the agent. */
  key: v.optional(text),
  /** The part of its path that names the agent. */
  path: v.optional(v.picklist(['stem', 'relative', 'folder', 'mapKey'])),
  /** Which of the two counts if both exist; the other is the fallback. */
  wins: v.optional(v.picklist(['key', 'path']), 'key'),
  /** Suffixes of a file's stem that are not part of the name (`reviewer.agent.md`). */
  strip: v.optional(texts, []),
  /** The separator between the parts of a relative path. */
  separator: v.optional(v.string(), '/'),
  /** What happens if the key that should name it is absent. */
  missing: v.optional(consequence),
  pattern: v.optional(pattern),
  /** What the pattern means, for people: "a name must be ..." */
  expects: v.optional(text),
  max: v.optional(v.number()),
  /** How names are formed; absent: any accepted name is kept. */
  convention: v.optional(v.picklist(['kebab-case', 'snake_case', 'camelCase', 'PascalCase'])),
  /** Names of built-in agents, which are called instead of a defined one. */
  taken: v.optional(texts, []),
  /** Only text is a name, not a number or a list; `exact`: white space around it counts too. */
  only: v.optional(v.picklist(['text', 'exact'])),
  invalid: v.optional(consequence),
})

const prompt = v.strictObject({
  in: v.picklist(['body', 'key', 'beside']),
  /** For `beside`: a key that may contain it instead. */
  key: v.optional(text),
  /** For `key`: the key that holds it where that one is absent, and keys whose texts follow it. */
  otherwise: v.optional(text),
  more: v.optional(texts),
  /** For `key`: a whole text of this form is the path of a file, in its first group, relative to the agent's own. */
  refers: v.optional(pattern),
  /** For `key`: the text equals the body of a file, including line ends at its edges. */
  whole: v.optional(v.boolean()),
  /** For `beside`: the file, relative to the agent's own. */
  file: v.optional(text),
  /** References that are replaced by their values when the prompt is read: `{file:...}`, `{env:...}`. */
  expands: v.optional(v.array(v.picklist(['file', 'env']))),
  /** The consequence of a reference to a missing file. */
  missing: v.optional(consequence),
  minLength: v.optional(v.strictObject({ length: v.number(), otherwise: consequence })),
  /** Names in the prompt that the harness replaces, and the consequence of an unknown one. */
  template: v.optional(
    v.strictObject({
      opens: text,
      closes: text,
      /** What can be a name; any other text between the two is plain. */
      names: v.optional(pattern, '^\\w+$'),
      known: texts,
      unknown: consequence,
      escape: v.optional(text),
    }),
  ),
})

const formats = ['markdown', 'toml', 'json', 'jsonc', 'yaml', 'prs'] as const
const setKeys = v.record(text, v.union([v.string(), v.number(), v.boolean()]))

/** A kind of file that holds agents of this harness. */
const carrier = v.strictObject({
  title: v.optional(text, 'agent file'),
  /** By default, what the ending of its files says. */
  format: v.optional(v.picklist(formats)),
  /** Read as part of a plugin (`plugins` of the harness file), not from its place in a project. */
  plugin: v.optional(v.boolean()),
  project: v.optional(place),
  user: v.optional(place),
  managed: v.optional(place),
  /** Agents inside a file: a map of name to agent, or a list. Absent: the file is one agent. */
  agents: v.optional(
    v.strictObject({
      at: v.string(),
      as: v.picklist(['map', 'list']),
      /** An older map of definitions beside them, which is merged last, and what it sets in each. */
      older: v.optional(v.strictObject({ at: text, sets: setKeys })),
    }),
  ),
  /** Keys that are set in every definition of this kind, overriding its values. */
  sets: v.optional(setKeys),
  /** By default its key `name`, or its file; in a map, the key of its entry. */
  name: v.optional(name),
  /** By default the body of a Markdown file. */
  prompt: v.optional(prompt),
  /**
   * The rules of a tool are a general action and a list of `pattern:action`, split at the last separator; absent: a map
   * of patterns to actions.
   */
  rules: v.optional(v.strictObject({ general: text, list: text, separator: text })),
  /** The prompt's references are expanded everywhere in the text, before it is parsed. */
  expandsText: v.optional(v.boolean()),
  /**
   * A file above the folder of this kind that can declare a definition: under its name, with its path and what it
   * leaves out. Then the definition needs neither name nor prompt.
   */
  declared: v.optional(
    v.strictObject({
      file: text,
      format: v.picklist(['toml', 'json', 'jsonc']),
      at: text,
      /** The key of the path, and the folder of this kind as the path's prefix. */
      by: text,
      folder: text,
      description: text,
    }),
  ),
  /** Its agents are declared by name: they override a discovered file with the same name. */
  declares: v.optional(v.boolean()),
  /** Contains only a prompt: a Markdown file without front matter. */
  plain: v.optional(v.boolean()),
  /** What happens to a file of this kind that is unparsable, or has an invalid value, if not the default. */
  unparsable: v.optional(consequence),
  invalidValue: v.optional(consequence),
  /** What happens to one without front matter, if not the default. */
  absent: v.optional(consequence),
  /** Folders beside these files with skills for them. */
  skills: v.optional(texts),
  /** Keys that this kind of file may contain but that have no effect in it. */
  drops: v.optional(texts),
  /** Where it differs from the harness's other kinds: fields by concept (null: it cannot be said in it), and keys. */
  fields: v.optional(v.record(fieldKeys, v.nullable(field))),
  nativeKeys: v.optional(v.record(text, nativeKey)),
  /** What is always written into it, by key. */
  constants: v.optional(setKeys),
})

/** By id; the first is the usual kind. */
export const carriers = v.pipe(
  v.record(text, carrier),
  v.minEntries(1),
  v.transform((all) => Object.entries(all).map(([id, one]) => completeCarrier(id, one))),
)

function completeCarrier(id: string, one: v.InferOutput<typeof carrier>) {
  const format = one.format ?? formatOf(one.project ?? one.user ?? one.managed)
  return {
    id,
    ...one,
    format,
    name: one.name ?? defaultName(one.agents?.as),
    prompt: one.prompt ?? { in: 'body' as const },
  }
}

const endings: Readonly<Record<string, (typeof formats)[number]>> = {
  toml: 'toml',
  json: 'json',
  jsonc: 'jsonc',
  yaml: 'yaml',
  yml: 'yaml',
  prs: 'prs',
}

function formatOf(place: ScopePlace | undefined): (typeof formats)[number] {
  const ending = /\.(\w+)$/.exec(place?.write ?? place?.read[0] ?? '')?.[1] ?? ''
  return endings[ending] ?? 'markdown'
}

function defaultName(entries: 'map' | 'list' | undefined): v.InferOutput<typeof name> {
  const both = { wins: 'key', strip: [], separator: '/', taken: [] } as const
  const from = entries === 'map' ? ({ path: 'mapKey', wins: 'path' } as const) : ({ path: 'stem' } as const)
  return { ...both, key: 'name', ...from, strip: [], taken: [] }
}
