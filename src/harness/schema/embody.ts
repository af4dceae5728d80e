/**
 * How a harness runs an agent as a member of a team (the main session with the team tools, set up in a private folder,
 * because the project belongs to the user), and how a person logs in to the program.
 *
 * Placeholders in all texts: `{private}` the folder, `{name}`, `{file}` the definition as the harness writes it,
 * `{body}` its prompt, `{definition}` its keys and prompt as JSON, `{tools}` the tools offered to the model (JSON),
 * `{granted}` what the definition grants (with commas), `{excluded}` (JSON), `{model}`, `{prompt}` the task,
 * `{session}`, `{secret}` a password for this run, and for the server with the team tools `{node}`, `{words}`,
 * `{workplace}`, `{token}` (JSON; `{mcp}` the words without brackets) and `{team}`, its tools as definitions name them
 * (JSON).
 */
import * as v from 'valibot'
import { roles } from '../../model/access/rules.ts'
import { json, pattern, text, texts } from './field.ts'

/** An event that the program reports: the values that identify it, and the path of its own value. */
const eventMatch = v.strictObject({ where: v.optional(v.record(text, text), {}), at: v.optional(text) })

const request = v.strictObject({ post: text, body: json })

export const embodySchema = v.strictObject({
  /** `lines`: it prints lines of JSON and ends; `server`: it is driven over HTTP; `acp`: the Agent Client Protocol. */
  driver: v.picklist(['lines', 'server', 'acp']),
  /** `{...session}` becomes the arguments for a new or resumed session; `{...keys}` and `{...model}` likewise. */
  args: texts,
  stdin: v.optional(text),
  environment: v.optional(v.record(text, v.string()), {}),
  files: v.optional(v.record(text, v.string()), {}),
  /** Its name there, if its own could mean another agent of the user. */
  agent: v.optional(text, '{name}'),
  /** Arguments for a new session whose id we choose, and to resume one; absent: it reports the id, or cannot resume. */
  fresh: v.optional(texts, []),
  resume: v.optional(texts),
  /** Arguments that name a model, if the definition does. */
  model: v.optional(texts, []),
  /** The keys of the definition as arguments, each with `{key}` and `{value}` (JSON). */
  keys: v.optional(v.strictObject({ except: texts, args: texts })),
  /** Keys that are always lists here, regardless of the file. */
  lists: v.optional(texts, []),
  /** Whose rules for tools apply: those for a child, if the program applies them to a main session by other means. */
  role: v.optional(v.picklist(roles), 'main'),
  /** Tools that are present unless excluded one by one: `{excluded}` are those that the definition does not name. */
  excludes: v.optional(texts, []),
  /** What the model is offered only because there is a server. */
  also: v.optional(texts, []),
  /** The team tools are found by a search (`{tools}`: for what), not in a first request, and called in a namespace. */
  hidden: v.optional(
    v.strictObject({ search: v.strictObject({ tool: text, arguments: v.record(text, json) }), namespace: text }),
  ),
  /** How it reports that it has no login and no key: then a retry would not help. */
  loggedOut: v.optional(
    v.strictObject({
      /** In its error output; case does not matter. */
      says: v.pipe(v.array(pattern), v.minLength(1)),
      /** Observed messages; each of them matches a pattern. */
      samples: texts,
    }),
  ),
  /** For `lines`: what its lines report. */
  tells: v.optional(
    v.strictObject({
      session: v.optional(eventMatch),
      /** The model was called once more. */
      step: v.optional(eventMatch),
      said: v.optional(eventMatch),
      cost: v.optional(eventMatch),
      failed: v.optional(eventMatch),
    }),
    {},
  ),
  server: v.optional(
    v.strictObject({
      /** In its output; group 1 is its address. */
      ready: text,
      /** User and password. */
      login: v.optional(text),
      /** Opens a session; `id` is the path of its id in the answer. */
      open: v.strictObject({ ...request.entries, id: text }),
      /** Answered at the end of the turn. */
      prompt: v.strictObject({ ...request.entries, said: text, cost: v.optional(text), failed: v.optional(text) }),
      cancel: v.optional(request),
      /** Where it reports events, and what a step looks like there. */
      events: text,
      step: v.optional(eventMatch),
      question: v.optional(
        v.strictObject({
          where: v.record(text, text),
          id: text,
          /** The paths of the tool and of everything that it is asked for: each must be allowed. */
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
 * How a person logs in to the program, and how to detect a login without asking it: only the existence of files and
 * variables is checked, never their contents. Paths begin with `~`, with a variable (`${CODEX_HOME:-~/.codex}`), or in
 * the project.
 */
export const login = v.strictObject({
  /** What to type to log in. */
  command: text,
  /** What to type in it. */
  type: v.optional(text),
  /** What to set instead, if it is more than the first variable. */
  key: v.optional(text),
  /** Files that hold a login. */
  files: texts,
  /** Variables of which one is enough; the first is the one for a key. */
  environment: v.pipe(texts, v.minLength(1)),
  /** Where else a login or a key can be, or why none is needed: then it cannot be detected from outside. */
  perhaps: v.optional(
    v.array(
      v.strictObject({
        /** A clause. */
        why: text,
        /** Only if this file exists. */
        file: v.optional(text),
        /** Only on this system. */
        platform: v.optional(v.picklist(['darwin', 'linux', 'win32'])),
      }),
    ),
    [],
  ),
})

export type LoginSpec = v.InferOutput<typeof login>
