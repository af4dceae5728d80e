/**
 * How a harness runs an agent as a member of a team (the main session with the team tools, set up in a private folder,
 * because the project belongs to the user), and how a person gives the program an account.
 *
 * In all texts these are filled in: `{private}` the folder, `{name}`, `{file}` the definition as the harness writes it,
 * `{body}` its prompt, `{definition}` its keys and prompt as JSON, `{tools}` the tools that the model is offered (JSON),
 * `{granted}` what the definition grants (with commas), `{excluded}` (JSON), `{model}`, `{prompt}` what is to be done, `{session}`, `{secret}` a
 * password for this run, and of the server with the team tools `{node}`, `{words}`, `{workplace}`, `{token}` (JSON;
 * `{mcp}` the words without brackets) and `{team}`, its tools as definitions name them (JSON).
 */
import * as v from 'valibot'
import { roles } from '../../model/access/rules.ts'
import { json, pattern, text, texts } from './field.ts'

/** Something that the program tells of itself: by which values it is known, and where its own value stands. */
const eventMatch = v.strictObject({ where: v.optional(v.record(text, text), {}), at: v.optional(text) })

const request = v.strictObject({ post: text, body: json })

export const embodySchema = v.strictObject({
  /** `lines`: it prints lines of JSON and ends; `server`: it is asked over HTTP; `acp`: the Agent Client Protocol. */
  driver: v.picklist(['lines', 'server', 'acp']),
  /** `{...session}` stands for the words of a new session or of one that goes on; `{...keys}` and `{...model}` likewise. */
  args: texts,
  stdin: v.optional(text),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** The name it has there, where its own could mean another agent of the user's. */
  agent: v.optional(text, '{name}'),
  /** Words for a new session whose id we choose, and for one that goes on; absent: it tells the id, or cannot go on. */
  fresh: v.optional(texts, []),
  resume: v.optional(texts),
  /** Words that name a model, where the definition does. */
  model: v.optional(texts, []),
  /** The keys of the definition as words, each with `{key}` and `{value}` (JSON). */
  keys: v.optional(v.strictObject({ except: texts, args: texts })),
  /** Keys that are lists here, whatever they are in a file. */
  lists: v.optional(texts, []),
  /** Whose rules for tools hold: those for a child, where the program applies them to a main session by other means. */
  role: v.optional(v.picklist(roles), 'main'),
  /** Tools that are there unless they are taken away one by one: `{excluded}` are those that the definition does not name. */
  excludes: v.optional(texts, []),
  /** What the model is offered because there is a server at all. */
  also: v.optional(texts, []),
  /** The tools of the team are found by a search (`{tools}`: for what), are in no first request, and are called in a namespace. */
  hidden: v.optional(
    v.strictObject({ search: v.strictObject({ tool: text, arguments: v.record(text, json) }), namespace: text }),
  ),
  /** How it says that it has no login and no key: then another attempt would not help. */
  loggedOut: v.optional(
    v.strictObject({
      /** In what it complains about; upper and lower case are the same. */
      says: v.pipe(v.array(pattern), v.minLength(1)),
      /** What it was seen to say; each of them is found by a pattern. */
      samples: texts,
    }),
  ),
  /** For `lines`: what its lines tell. */
  tells: v.optional(
    v.strictObject({
      session: v.optional(eventMatch),
      /** The model was asked once more. */
      step: v.optional(eventMatch),
      said: v.optional(eventMatch),
      cost: v.optional(eventMatch),
      failed: v.optional(eventMatch),
    }),
    {},
  ),
  server: v.optional(
    v.strictObject({
      /** In what it prints; group 1 is its address. */
      ready: text,
      /** User and password. */
      login: v.optional(text),
      /** Opens a session; `id` is where its id stands in the answer. */
      open: v.strictObject({ ...request.entries, id: text }),
      /** Answered when the turn is over. */
      prompt: v.strictObject({ ...request.entries, said: text, cost: v.optional(text), failed: v.optional(text) }),
      cancel: v.optional(request),
      /** Where it tells what happens, and what a step looks like there. */
      events: text,
      step: v.optional(eventMatch),
      question: v.optional(
        v.strictObject({
          where: v.record(text, text),
          id: text,
          /** Where the tool stands, and everything that it is asked for: each must be allowed. */
          tool: text,
          subjects: text,
          answer: v.strictObject({ ...request.entries, yes: text, no: text }),
        }),
      ),
    }),
  ),
})

export type Embody = v.InferOutput<typeof embodySchema>
export type EventMatch = v.InferOutput<typeof eventMatch>

/**
 * The part of a harness file that says how a person gives the program an account, and how to tell that it has one without
 * asking it: only whether files and variables are there is looked at, never what they hold. Paths begin with `~`, with a
 * variable (`${CODEX_HOME:-~/.codex}`), or in the project.
 */
export const login = v.strictObject({
  /** What to type to log in. */
  command: text,
  /** What to type in it. */
  type: v.optional(text),
  /** What to set instead, where it is more than the first variable. */
  key: v.optional(text),
  /** Files that hold a login. */
  files: texts,
  /** Variables of which one is enough; the first is the one for a key. */
  environment: v.pipe(texts, v.minLength(1)),
  /** Where else a login or a key can be, or why none is needed: then nobody can tell from outside. */
  perhaps: v.optional(
    v.array(
      v.strictObject({
        /** Half a sentence. */
        why: text,
        /** Only where this file is there. */
        file: v.optional(text),
        /** Only on this system. */
        platform: v.optional(v.picklist(['darwin', 'linux', 'win32'])),
      }),
    ),
    [],
  ),
})

export type LoginSpec = v.InferOutput<typeof login>
