/** The closed catalogue of everything Troupe can report about a file, and the shape of a report. */
import type { Edit, Position, Range } from './range.ts'

export type Severity = 'error' | 'warning' | 'info'

/** What to do is printed with each finding (`hint`), or only in the documentation because messages say it (`remedy`). */
type CatalogueEntry = { readonly severity: Severity; readonly meaning: string } & (
  | { readonly hint: string }
  | { readonly remedy: string }
)

/** One entry per code; `docs/diagnostics.md` is generated from this table. */
export const catalogue = {
  // The file as bytes
  'unreadable-file': {
    severity: 'error',
    meaning: 'The file or folder exists but cannot be read.',
    hint: 'Check its permissions.',
  },
  'file-too-large': {
    severity: 'error',
    meaning: 'The file is far larger than any agent, so Troupe does not read it.',
    hint: 'Agent files are a few kilobytes. Move this file out of the agents folder.',
  },
  'invalid-encoding': {
    severity: 'warning',
    meaning: 'The file is not valid UTF-8. Troupe keeps its bytes, but a harness may show different characters.',
    hint: 'Save the file as UTF-8.',
  },
  'nul-character': {
    severity: 'warning',
    meaning: 'The file contains NUL characters.',
    hint: 'Remove them. Some harnesses stop reading at the first one.',
  },
  'symlink-loop': {
    severity: 'warning',
    meaning: 'A symbolic link points to a folder that contains it. Troupe does not follow it.',
    remedy: 'Remove the link, or let it point to another folder.',
  },
  // The front matter
  'no-front-matter': {
    severity: 'warning',
    meaning: 'The file has no front matter, so it has no name, description or restrictions of its own.',
    hint: 'Start the file with a line "---", then the keys, then another line "---".',
  },
  'unclosed-front-matter': {
    severity: 'error',
    meaning: 'The front matter starts with "---" but never ends.',
    hint: 'Add a line with exactly "---" after the last key.',
  },
  'unclear-front-matter': {
    severity: 'error',
    meaning:
      'The file seems to limit the agent, but it is unclear how: the front matter has no clear start or end, or a line that looks like a key is outside of it.',
    hint: 'Write plain YAML: a line with exactly "---", one "key: value" per line without indentation, and a closing line "---".',
  },
  'odd-fence': {
    severity: 'warning',
    meaning: 'A front matter fence is not exactly "---" at the start of a line.',
    hint: 'Write each fence as exactly three dashes.',
  },
  'front-matter-not-a-map': {
    severity: 'error',
    meaning: 'The front matter is not a map of keys to values.',
    remedy: 'Write one "key: value" per line between the fences.',
  },
  'invalid-yaml': {
    severity: 'warning',
    meaning: 'A value is not valid YAML. Troupe recovers it.',
    hint: 'Quote the value, or let `troupe check --fix` do it.',
  },
  'duplicate-key': {
    severity: 'warning',
    meaning: 'A key appears more than once. The last one counts.',
    hint: 'Keep one of them.',
  },
  'tab-indentation': {
    severity: 'warning',
    meaning: 'YAML does not allow tabs for indentation. Troupe reads them as spaces.',
    hint: 'Indent with spaces.',
  },
  'invalid-toml': {
    severity: 'error',
    meaning: 'The file is not valid TOML. Troupe recovers what it can.',
    remedy: 'Correct the line that the message names.',
  },
  'invalid-json': {
    severity: 'error',
    meaning: 'The file is not valid JSON. Troupe recovers what it can.',
    remedy: 'Correct the line that the message names.',
  },
  'invalid-prs': {
    severity: 'error',
    meaning: 'The file is not valid PromptScript. Troupe recovers what it can.',
    remedy: 'Correct the line that the message names.',
  },
  'long-definition': {
    severity: 'error',
    meaning:
      'The front matter, or the part of the file that holds the keys, is longer than 128 kB. Troupe does not read it, treats the agent as allowed to do nothing, and does not convert it.',
    hint: 'Keep keys and short values there, and move long text into the prompt.',
  },
  // The definition
  'too-many-agents': {
    severity: 'error',
    meaning: 'The file holds more than 1,000 agents. Troupe reads the first 1,000.',
    hint: 'Split the file.',
  },
  'too-many-rules': {
    severity: 'error',
    meaning:
      'The definition has more than 500 access rules, more than 32 kB of them, or more than 100 MCP servers. Troupe treats the agent as allowed to do nothing, and does not convert it.',
    hint: 'Write fewer, more general rules.',
  },
  'long-prompt': {
    severity: 'warning',
    meaning: 'The prompt is longer than 512 kB. Troupe analyses the first 512 kB and copies the rest unchanged.',
    hint: 'Move what is rarely needed into files that the agent can read.',
  },
  'too-much-included': {
    severity: 'error',
    meaning:
      'Prompts include more than 500 files, or more than 1 MB in total. Further references are left as they are.',
    hint: 'Name the files in the prompt instead, and let the agent read what it needs.',
  },
  'unreadable-access': {
    severity: 'error',
    meaning:
      'Troupe cannot read a key that limits what the agent may do, so it treats the key as allowing nothing. It converts the agent only if other parts of its access are clear.',
    hint: 'Write it in the form that `troupe harnesses ID` shows.',
  },
  'changed-elsewhere': {
    severity: 'warning',
    meaning: 'Another part of the file changes the definition. Troupe does not apply that change.',
    hint: 'Make the change in the definition itself, or check that it does not lift a limit on the agent.',
  },
  'disputed-order': {
    severity: 'warning',
    meaning:
      'The answer depends on the order in which rules are read, and documentation of the format disagrees about that order.',
    hint: 'Write patterns that do not overlap, so that the order does not matter.',
  },
  'declared-twice': {
    severity: 'warning',
    meaning: 'An agent is declared in one source and defined in a file of another. The declaration counts.',
    hint: 'Keep one of the two.',
  },
  'missing-reference': {
    severity: 'error',
    meaning: 'The definition refers to a file that cannot be read.',
    remedy: 'Add the file, or correct its path.',
  },
  'missing-key': {
    severity: 'error',
    meaning: 'A key that the harness requires is missing.',
    remedy: 'Add the key.',
  },
  'invalid-value': {
    severity: 'error',
    meaning: 'A value does not have the form that the harness expects.',
    remedy: 'Write the value in the form that the message names.',
  },
  'unknown-key': {
    severity: 'info',
    meaning: 'The harness does not know this key.',
    hint: 'Remove it.',
  },
  'inert-key': {
    severity: 'warning',
    meaning: 'The harness accepts this key, but it has no effect.',
    remedy: 'Remove the key, and do not rely on it.',
  },
  'unparsable-front-matter': {
    severity: 'error',
    meaning: 'Troupe can recover the file or its front matter, but the harness cannot read it.',
    remedy: 'Write valid YAML, or run `troupe check --fix`.',
  },
  'repaired-once': {
    severity: 'error',
    meaning:
      'The harness repairs the front matter only the first time. After that it loads the agent without its keys.',
    hint: 'Write valid YAML, or run `troupe check --fix`.',
  },
  // Tools and access
  'unknown-tool': {
    severity: 'warning',
    meaning: 'The harness does not know this tool.',
    remedy: 'Correct the name; `troupe harnesses ID` lists the tools of a harness.',
  },
  'no-tools': {
    severity: 'warning',
    meaning: 'The agent ends up with no tools.',
    hint: 'To give the agent all tools, remove the key.',
  },
  'implied-access': {
    severity: 'warning',
    meaning: 'Another key gives the agent more tools than its tool list names.',
    remedy: 'Remove that key if the agent should not have these tools.',
  },
  'not-enforced': {
    severity: 'warning',
    meaning: 'The definition restricts the agent in a way that the harness does not enforce.',
    remedy: 'Do not rely on the restriction there, or write it in a way that the harness enforces.',
  },
  'unreachable-rule': {
    severity: 'warning',
    meaning: 'A permission rule never takes effect, because another rule always wins.',
    hint: 'Where the last match wins, write general rules first and exceptions after them.',
  },
  'default-overridden': {
    severity: 'warning',
    meaning: 'A rule of the agent allows something that the harness asks about by default.',
    remedy: 'Remove the rule if the harness should ask.',
  },
  'shell-can-write': {
    severity: 'info',
    meaning: 'The agent may not edit files, but it may use a shell, which can.',
    remedy: 'Deny the shell too if the agent must not change files.',
  },
  // Model, prompt, name
  'unknown-model': {
    severity: 'error',
    meaning: 'The harness does not accept this model.',
    remedy: 'Write a model id that the harness accepts.',
  },
  'template-variable': {
    severity: 'error',
    meaning: 'The prompt contains a placeholder that the harness tries to fill in.',
    remedy: 'Write the placeholder so that the harness does not recognise it; the message shows how.',
  },
  'short-prompt': {
    severity: 'error',
    meaning: 'The prompt is empty or too short for the harness.',
    remedy: 'Write a longer prompt.',
  },
  'invalid-name': {
    severity: 'error',
    meaning: 'The harness does not accept this name.',
    remedy: 'Rename the agent.',
  },
  'taken-name': {
    severity: 'warning',
    meaning: 'The harness has a built-in agent with this name and runs that one instead.',
    hint: 'Rename the agent.',
  },
  'name-collision': {
    severity: 'warning',
    meaning: 'Two agents of a harness have the same name.',
    hint: 'Rename one of them.',
  },
  // The project
  'read-by-others': {
    severity: 'info',
    meaning: 'Other harnesses also load the agents in this folder, and interpret them by their own rules.',
    remedy: 'Run `troupe check --for ID` to see how they read the agents.',
  },
  'needs-trust': {
    severity: 'info',
    meaning: "The harness does not load a project's agents until a condition is met, such as trusting the project.",
    remedy: 'Trust the project in the harness.',
  },
  'not-an-agent': {
    severity: 'warning',
    meaning: 'A file in an agents folder is not an agent, or does not say that it is one.',
    hint: 'If it is meant to be an agent, add front matter with a name and a description. Otherwise move it elsewhere.',
  },
  'disabled-agent': {
    severity: 'warning',
    meaning: 'The agent is disabled in its harness, so it is not converted.',
    hint: 'To convert it, enable it there.',
  },
  'other-defaults': {
    severity: 'info',
    meaning: 'A harness asks about or denies something by default, and the target does not. No definition mentions it.',
    remedy: 'Write the limit into the definition if you need it everywhere.',
  },
  'revived-file': {
    severity: 'warning',
    meaning: 'The harness does not load this file, but the converted agent will run in the target.',
    hint: 'Check that you want this agent, and fix its file.',
  },
  'broken-manifest': {
    severity: 'warning',
    meaning:
      'A plugin or marketplace manifest names something that does not exist, is outside of it, or is not loaded.',
    remedy: 'Correct the path in the manifest, or add what it names.',
  },
  'limiting-key': {
    severity: 'error',
    meaning:
      'A key that Troupe does not know seems to limit the agent, so Troupe cannot tell what the limit would be in the target.',
    hint: 'Write the limit with keys that the harness knows, or ignore this one with --ignore-key NAME.',
  },
  'broken-harness-file': {
    severity: 'error',
    meaning: 'One of your own harness files is not valid, so it is not used.',
    remedy: 'Correct the file; the message names the place.',
  },
  'untrusted-harness-file': {
    severity: 'warning',
    meaning: 'A harness file that comes with a project is not used until you trust it.',
    hint: 'Read it, then run `troupe harnesses trust FILE`.',
  },
  // Adapters imported as harness files
  'broken-adapter': {
    severity: 'error',
    meaning: 'The adapter lacks something that a harness file requires.',
    remedy: 'Add what is missing to the adapter.',
  },
  'adapter-default': {
    severity: 'warning',
    meaning: 'The adapter leaves something out, so the harness file gets a conservative default.',
    remedy: 'Check the default in the harness file.',
  },
  'adapter-unused': {
    severity: 'info',
    meaning: 'The adapter says something that Troupe cannot read, or that a harness file cannot express.',
    remedy: 'Add it to the harness file by hand if it matters.',
  },
  'harness-replaced': {
    severity: 'warning',
    meaning: 'An imported harness file replaces a built-in one.',
    hint: 'To keep both, import it with --id NAME.',
  },
  // Sections of the HUD
  'broken-template': {
    severity: 'error',
    meaning: 'The template or the condition of a section is not valid, so the section is left out.',
    remedy: 'Correct the template; the message names the place.',
  },
  'unknown-data': {
    severity: 'warning',
    meaning: 'A section uses data that no source provides.',
    remedy: 'Correct the name, or add a source that provides the data.',
  },
  'untrusted-command': {
    severity: 'warning',
    meaning: 'A section names a command that you have not trusted, so Troupe does not run it and its data is missing.',
    hint: 'Read the command, then run `troupe hud trust`.',
  },
  // Conversions
  'wider-access': {
    severity: 'error',
    meaning: 'The agent could do more in the target than its definition allows, so it is not written.',
    hint: 'Accept it with --allow-widening=CAPABILITY, or convert to a harness that can enforce the limit.',
  },
  'dead-grants': {
    severity: 'error',
    meaning: 'The harness knows none of the tools that the agent lists, so the agent is not written.',
    hint: 'Correct the tool names, or use --revive to grant what they mean.',
  },
  'remote-agent': {
    severity: 'error',
    meaning: 'The agent is a separate program that its harness only calls, so there is nothing to convert.',
    hint: 'Connect the target to that program directly.',
  },
  'settings-limit': {
    severity: 'warning',
    meaning:
      'A settings file takes tools away from every agent of a harness. It is not part of any definition, so it does not carry over.',
    hint: 'Add the limit to the settings of the target, or to the definitions.',
  },
  'no-prompt': {
    severity: 'error',
    meaning: 'The agent has no prompt, or only a reference that cannot be resolved, so it is not written.',
    hint: 'Write the prompt into the definition, or add the file that it refers to.',
  },
  'nothing-left': {
    severity: 'error',
    meaning: 'The agent could do nothing in the target, although it can do something here, so it is not written.',
    hint: 'Convert it to another harness, or to another kind of file.',
  },
  'not-read-back': {
    severity: 'error',
    meaning: 'The converted text means something else when it is read back, so it is not written.',
    hint: 'Convert it to another kind of file. If this kind should be able to hold it, please report a bug and attach the file.',
  },
  'same-output': {
    severity: 'error',
    meaning: 'Several agents would become the same file with different contents, so none of them is written.',
    hint: 'Choose one dialect with --from, or rename one of the agents.',
  },
  'not-written': {
    severity: 'error',
    meaning: 'The file cannot be written, or must not be.',
    hint: 'Troupe replaces files that it did not write, or that were edited since, only with --force.',
  },
  'not-in-step': {
    severity: 'error',
    meaning: 'An output of `troupe build` is out of date.',
    hint: 'Run `troupe build` and commit the result.',
  },
  'config-not-edited': {
    severity: 'error',
    meaning: 'A configuration file of the target cannot be edited safely, so it is left unchanged.',
    hint: 'Fix the file and convert again, or add the settings by hand.',
  },
  // Imports
  'left-out': {
    severity: 'warning',
    meaning: 'Part of an agent, or a whole file, is left out of the result.',
    remedy: 'Convert or copy it by hand if you need it.',
  },
  'other-words': {
    severity: 'info',
    meaning: 'A value is written in the terms of the target, which may be less precise.',
    remedy: 'Check that the new value means the same to you.',
  },
  'line-ends': {
    severity: 'info',
    meaning: 'The line endings of a prompt differ from those in its file.',
    remedy: 'Nothing, unless a program depends on them.',
  },
  'damaged-text': {
    severity: 'warning',
    meaning: 'Troupe can still read this text, but the program it was written for will not.',
    remedy: 'Save the file again with the program it was written for, or correct the place that the message names.',
  },
  'not-converted': {
    severity: 'error',
    meaning: 'Troupe failed on this agent. The others are not affected.',
    hint: 'This is a bug in Troupe. Please report it and attach the file.',
  },
} as const satisfies Record<string, CatalogueEntry>

export type DiagnosticCode = keyof typeof catalogue

/** A finding in a text, before its file is known. */
export interface Finding {
  readonly code: DiagnosticCode
  readonly message: string
  readonly range: Range
  /** Overrides the catalogue if this case is worse or milder than usual. */
  readonly severity?: Severity
  readonly hint?: string
  /** The harness whose behaviour is described, if any, and what it does. */
  readonly harness?: string
  readonly consequence?: string | undefined
  /** Edits that repair this and nothing else; present only if the repair is mechanical. */
  readonly fix?: readonly Edit[]
}

/** The published shape: see `schema/diagnostic.json`. */
export interface Diagnostic extends Position {
  readonly code: DiagnosticCode
  readonly severity: Severity
  readonly message: string
  readonly path: string
  readonly hint?: string
  readonly fixable?: true
  /** The harness whose behaviour is described, if any, and what it does (see `schema/harness.json`). */
  readonly harness?: string
  readonly consequence?: string
}

/** A diagnostic about a file or folder as a whole. */
export function fileProblem(code: DiagnosticCode, path: string, message: string): Diagnostic {
  const entry: { severity: Diagnostic['severity']; hint?: string } = catalogue[code]
  const hint = entry.hint === undefined ? {} : { hint: entry.hint }
  return { code, severity: entry.severity, message, path, line: 1, column: 1, ...hint }
}
