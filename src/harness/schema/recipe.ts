/** The part of a harness file that says how to run the real program: isolated, offline, against the stub model. */
import * as v from 'valibot'

const text = v.pipe(v.string(), v.minLength(1))
const texts = v.array(text)

/**
 * Where a fact stands in what the program leaves behind. `at` is a path of keys; `*` stands for every item or value,
 * a last `@` for the keys themselves.
 */
const extraction = v.strictObject({
  from: v.picklist(['stdout', 'stderr', 'events', 'json', 'files', 'requests']),
  /** For events (JSON lines): the values by which the right ones are known. */
  where: v.optional(v.record(text, text)),
  at: v.optional(text),
  /** For texts, and for what stands at a place in requests: what to look for; group 1 is the fact. */
  pattern: v.optional(text),
  /** For files: which ones. */
  files: v.optional(text),
})

const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const call = v.strictObject({
  tool: text,
  namespace: v.optional(text),
  arguments: v.record(text, json),
})

/**
 * One run of the program. In all texts `{home}`, `{project}`, `{stub}`, `{cache}`, `{name}` and `{prompt}` are filled in;
 * `{hashes}` is a JSON map of every agent's name to the SHA-256 of its file.
 */
const run = v.strictObject({
  args: texts,
  /** A module to run with Node instead of the program itself. */
  script: v.optional(text),
  stdin: v.optional(text),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** Files that must also stand somewhere else: from where, to where. */
  copies: v.optional(v.record(text, v.string()), {}),
})

/** One request to a program that runs as a server. */
const httpStep = v.strictObject({
  post: text,
  body: json,
  /** Placeholders for later steps: name to the path of a value in the answer. */
  save: v.optional(v.record(text, text), {}),
})

/** A program that stays: started once, ready when it prints its address, then asked for each agent. */
const server = v.strictObject({
  /** Group 1 is the address. */
  ready: text,
  steps: v.array(httpStep),
})

/** A tool as it appears in a request to the model. */
const wireTool = v.strictObject({
  /** The units (native names) that bring it; its own name where nothing else is said. */
  units: v.optional(texts),
  /** Where access is not a list of names: the neutral tools of which one must be usable. */
  grants: v.optional(texts),
  role: v.optional(v.picklist(['main', 'child'])),
  /** Offered only when the definition names it. */
  named: v.optional(v.boolean()),
  /** Offered only when the definition says this: concept to value. */
  when: v.optional(v.record(text, text)),
  /** Not offered beside this one. */
  unless: v.optional(text),
})

export const oracleSchema = v.strictObject({
  program: v.strictObject({
    /** Its name on the PATH. */
    name: text,
    /** Where it is in the cache of pinned versions. */
    cached: text,
    /** It is a script for Node. */
    node: v.optional(v.boolean()),
  }),
  version: v.strictObject({ args: texts, pattern: v.optional(text, '(\\d+\\.\\d+\\.\\d+)') }),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** Ask the loader what it loaded. */
  load: v.strictObject({
    ...run.entries,
    /** A call by which the model makes the program tell what it loaded. */
    first: v.optional(call),
    loaded: extraction,
    problems: v.optional(extraction),
    /** A text on stderr that means: the program does not start at all. */
    refused: v.optional(text),
    /** Agents that are always there. */
    builtIn: v.optional(texts, []),
    /** One bad file spoils the others, so each needs a project of its own. */
    alone: v.optional(v.boolean(), false),
  }),
  /** Be the agent as the main session. */
  main: v.nullable(v.strictObject({ ...run.entries, server: v.optional(server) })),
  /** Be called by another agent: the stub model makes the main session call it. */
  child: v.nullable(
    v.strictObject({
      ...run.entries,
      call,
      /** A call that must come first (a search for deferred tools). */
      first: v.optional(call),
      /** How the child ends its work, where a text is not enough. */
      finish: v.optional(call),
      /** Children work beside the main session, which must not end before them. */
      background: v.optional(v.boolean(), false),
      /** How many can be called in one turn. */
      atOnce: v.optional(v.number(), 50),
    }),
  ),
  wire: v.strictObject({
    protocol: v.picklist(['anthropic', 'openai-chat', 'openai-responses', 'gemini']),
    tools: v.record(text, wireTool),
    /** Words in the system prompt of requests that are not the agent's own, such as one for a title. */
    incidental: v.optional(text),
  }),
})

export type Oracle = v.InferOutput<typeof oracleSchema>
export type Run = v.InferOutput<typeof run>
export type Extraction = v.InferOutput<typeof extraction>
export type WireTool = Oracle['wire']['tools'][string]
