/** How to run the real program: isolated, offline, against the stub model. */
import * as v from 'valibot'
import { roles } from '../../model/access/rules.ts'
import { json, pattern, text, texts } from './field.ts'

/**
 * The location of a fact in the program's output. `at` is a path of keys; `*` means every item or value, a final `@`
 * the keys themselves.
 */
const extraction = v.strictObject({
  from: v.picklist(['stdout', 'stderr', 'events', 'json', 'files', 'requests']),
  /** For events (JSON lines): the values that identify the right ones. */
  where: v.optional(v.record(text, text)),
  at: v.optional(text),
  /** For texts, and for values in requests: what to look for; group 1 is the fact. */
  pattern: v.optional(text),
  /** For files: which ones. */
  files: v.optional(text),
})

/** What a loader can report about an agent besides its name. */
export const reportedFacts = ['description', 'model', 'mode', 'temperature', 'permissions'] as const
export type ReportedFact = (typeof reportedFacts)[number]

/**
 * What the program reports about every loaded agent. A text is searched for `pattern`, whose named groups are the
 * facts; in data, `at` leads to the agents, and each fact is a text with paths in braces: `{model.id}`.
 */
const loaderReport = v.strictObject({
  from: v.picklist(['events', 'json', 'requests', 'server']),
  where: v.optional(v.record(text, text)),
  at: text,
  pattern: v.optional(text),
  facts: v.optional(v.record(v.picklist(['name', ...reportedFacts]), text)),
  /** For a server: the path to request. */
  get: v.optional(text),
})

const call = v.strictObject({
  tool: text,
  namespace: v.optional(text),
  arguments: v.record(text, json),
})

/**
 * One run of the program. In all texts `{home}`, `{project}`, `{stub}`, `{name}`, `{display}` and `{prompt}` are
 * replaced; `{hashes}` is a JSON map of every agent's name to the SHA-256 of its file.
 */
const run = v.strictObject({
  args: texts,
  stdin: v.optional(text),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** Files that must exist in a second place: from, to. */
  copies: v.optional(v.record(text, v.string()), {}),
})

/** One request to a program that runs as a server. */
const httpStep = v.strictObject({
  post: text,
  body: json,
  /** Placeholders for later steps: name to the path of a value in the answer. */
  save: v.optional(v.record(text, text), {}),
})

/** A long-running program: started once, ready when it prints its address, then asked for each agent. */
const server = v.strictObject({
  /** Group 1 is the address. */
  ready: text,
  steps: v.array(httpStep),
})

/**
 * How a long-running program decides tool calls: where it reports its questions, how they are answered, and the words
 * by which the model learns that a call was not made. `{folder}` is the project, `{request}` the question.
 */
const decisions = v.strictObject({
  /** The agent that calls the children. */
  caller: text,
  questions: v.strictObject({
    /** Where the program reports events, and the values that identify its questions. */
    events: text,
    where: v.record(text, text),
    id: text,
    /** What is asked for, with paths in braces. */
    about: text,
  }),
  answer: v.strictObject({ post: text, body: json, yes: text, no: text }),
  /** In the message to the model: a rule forbids the call. */
  denied: pattern,
  /** In the message to the model: it has no such tool. */
  absent: pattern,
})

/** A tool as it appears in a request to the model. */
const wireTool = v.strictObject({
  /** The units (native names) that provide it; by default its own name. */
  units: v.optional(texts),
  /** Spellings of those units that do not provide it. */
  not: v.optional(texts, []),
  /** If access is not a list of names: the neutral tools of which one must be usable. */
  grants: v.optional(texts),
  role: v.optional(v.picklist(['main', 'child'])),
  /** Offered only if the definition names it. */
  named: v.optional(v.boolean()),
  /** Offered only if the definition sets this: concept to value. */
  when: v.optional(v.record(text, text)),
  /** Not offered together with this one. */
  unless: v.optional(text),
  /** Offered only to models whose name, as sent, matches this. */
  models: v.optional(pattern),
})

/** Which model a request names. */
const wireModel = v.strictObject({
  /** If the agent names none, in the recipe's own session. */
  default: text,
  /** The agent's model counts only in these roles. */
  roles: v.optional(v.array(v.picklist(roles))),
  /** The part of a name that is sent: group 1. */
  pattern: v.optional(pattern, '^(.*)$'),
  /** Names that are sent as others. */
  becomes: v.optional(v.record(text, text), {}),
})

/** Where a request contains the value of a concept. */
const wireParameter = v.strictObject({
  at: text,
  roles: v.optional(v.array(v.picklist(roles))),
  /** Always sent, regardless of the definition. */
  always: v.optional(json),
})

export const oracleSchema = v.strictObject({
  program: v.strictObject({
    /** Its name on the PATH. */
    name: text,
    /** Where it is in the cache of pinned versions. */
    cached: text,
    /** A command that installs it. */
    install: v.optional(text),
    /** It is a script for Node. */
    node: v.optional(v.boolean()),
  }),
  version: v.strictObject({ args: texts, pattern: v.optional(text, '(\\d+\\.\\d+\\.\\d+)') }),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** Keys of agents that start programs. */
  starts: v.optional(texts, []),
  /** Keys about agents in files that contain more than agents; any other could start a program. */
  keeps: v.optional(texts, []),
  /** Globs of files in a project, except agents and instructions, that can make it start programs. */
  startsFrom: v.optional(texts, []),
  /**
   * If models must be declared before an agent can name them: group 1 of the pattern is a provider, group 2 a model.
   * `{providers}` is then a map of all providers that agents name, each with its models.
   */
  providers: v.optional(v.strictObject({ pattern, provider: v.record(text, json), model: v.record(text, json) })),
  /** Ask the loader for the loaded agents. */
  load: v.strictObject({
    ...run.entries,
    /** A call by which the model makes the program report what it loaded. */
    first: v.optional(call),
    loaded: extraction,
    reported: v.optional(loaderReport),
    problems: v.optional(extraction),
    /** A text on stderr that means that the program does not start at all. */
    refused: v.optional(text),
    /** Agents that always exist. */
    builtIn: v.optional(texts, []),
    /** One bad file affects the others, so each needs its own project. */
    alone: v.optional(v.boolean(), false),
  }),
  /** Run the agent as the main session. */
  main: v.nullable(v.strictObject({ ...run.entries, server: v.optional(server) })),
  /** Run it as a child: the stub model makes the main session call it. */
  child: v.nullable(
    v.strictObject({
      ...run.entries,
      call,
      /** The agent of the main session then. */
      caller: v.optional(text),
      /** A call that must come first (a search for deferred tools). */
      first: v.optional(call),
      /** How the child ends its work, if a text is not enough. */
      finish: v.optional(call),
      /** Children run in parallel with the main session, which must not end before them. */
      background: v.optional(v.boolean(), false),
      /** How many can be called in one turn. */
      atOnce: v.optional(v.number(), 50),
    }),
  ),
  decisions: v.optional(decisions),
  wire: v.pipe(
    v.strictObject({
      protocol: v.picklist(['anthropic', 'openai-chat', 'openai-responses', 'gemini']),
      /** Those that are offered under their own names, without a condition; and all others. */
      offers: v.optional(texts, []),
      tools: v.optional(v.record(text, wireTool), {}),
      /** A tool is hidden if the last rule about it denies every call; by default, if no call can succeed. */
      hides: v.optional(v.literal('last-denial')),
      model: wireModel,
      /** The line ends that are sent, regardless of the prompt's own. */
      lineEnds: v.optional(v.literal('lf')),
      parameters: v.optional(v.record(v.picklist(['temperature', 'effort']), wireParameter), {}),
      /** The name of an MCP tool in a request, if it differs from its name in a definition. */
      mcpTool: v.optional(text),
      /** Words in the system prompt of requests that are not the agent's own, such as one for a title. */
      incidental: v.optional(text),
    }),
    v.transform(({ offers, tools, ...rest }) => {
      const plain = offers.map((name) => [name, { not: [] }] as [string, WireTool])
      return { ...rest, tools: { ...Object.fromEntries(plain), ...tools } }
    }),
  ),
})

export type Oracle = v.InferOutput<typeof oracleSchema>
export type OracleRun = v.InferOutput<typeof run>
export type Extraction = v.InferOutput<typeof extraction>
export type LoaderReportSpec = v.InferOutput<typeof loaderReport>
export type WireTool = v.InferOutput<typeof wireTool>
