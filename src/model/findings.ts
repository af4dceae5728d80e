/** The closed catalogue of everything Troupe can report about a file, and the shape of a report. */
import type { Edit, Position, Range } from './range.ts'

export type Severity = 'error' | 'warning' | 'info'

interface CatalogueEntry {
  readonly severity: Severity
  readonly meaning: string
  readonly hint?: string
}

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
    meaning: 'The file is far larger than any agent and was not read.',
    hint: 'Agent files are a few kilobytes; name this file outside the agents folder.',
  },
  'invalid-encoding': {
    severity: 'warning',
    meaning: 'The file is not valid UTF-8. Troupe keeps its bytes; a harness may show other characters.',
    hint: 'Save the file as UTF-8.',
  },
  'nul-character': {
    severity: 'warning',
    meaning: 'The file contains NUL characters.',
    hint: 'Remove them; some harnesses stop reading there.',
  },
  'symlink-loop': {
    severity: 'warning',
    meaning: 'A symbolic link leads back to a folder that contains it; it is not followed.',
  },
  // The front matter
  'no-front-matter': {
    severity: 'warning',
    meaning: 'The file has no front matter, so it has no name, description or restrictions of its own.',
    hint: 'Start the file with a line "---", the keys, and a closing line "---".',
  },
  'unclosed-front-matter': {
    severity: 'error',
    meaning: 'The front matter is opened by "---" and never closed.',
    hint: 'Add a line that is exactly "---" after the last key.',
  },
  'unclear-front-matter': {
    severity: 'error',
    meaning:
      'The file seems to limit the agent, and it cannot be told how: the fences of its front matter are unclear, or a line that looks like a key is not part of data that can be read.',
    hint: 'Write front matter as plain YAML: a line that is exactly "---", each key at the start of a line of its own, with a colon, and a line "---" after the last one.',
  },
  'odd-fence': {
    severity: 'warning',
    meaning: 'The fence of the front matter is not exactly "---" at the start of a line.',
    hint: 'Write both fences as exactly three dashes.',
  },
  'front-matter-not-a-map': {
    severity: 'error',
    meaning: 'The front matter is not a set of keys and values.',
  },
  'invalid-yaml': {
    severity: 'warning',
    meaning: 'A value is not valid YAML; Troupe recovered it.',
    hint: 'Quote the value, or let `troupe check --fix` do it.',
  },
  'duplicate-key': {
    severity: 'warning',
    meaning: 'A key stands twice; the last one counts.',
    hint: 'Remove one of them.',
  },
  'tab-indentation': {
    severity: 'warning',
    meaning: 'YAML does not allow tabs as indentation; Troupe read them as spaces.',
    hint: 'Indent with spaces.',
  },
  'invalid-toml': {
    severity: 'error',
    meaning: 'The file is not valid TOML; Troupe recovered what it could.',
  },
  'invalid-json': {
    severity: 'error',
    meaning: 'The file is not valid JSON; Troupe recovered what it could.',
  },
  'invalid-prs': {
    severity: 'error',
    meaning: 'The file is not valid PromptScript; Troupe recovered what it could.',
  },
  'long-definition': {
    severity: 'error',
    meaning:
      'The front matter, or whatever else holds the keys of a definition, is longer than 128 kB. Troupe does not read it, takes it that nothing is allowed, and does not convert the agent.',
    hint: 'Keep keys and short values there, and put text into the prompt.',
  },
  // The definition
  'too-many-agents': {
    severity: 'error',
    meaning: 'The file holds more than 1,000 agents. Those behind them are not read.',
    hint: 'Divide the file.',
  },
  'too-many-rules': {
    severity: 'error',
    meaning:
      'The definition has more than 500 rules about what the agent may do, more than 32 kB of them, or more than 100 MCP servers. Troupe reads it as "nothing is allowed", and does not convert the agent.',
    hint: 'Write fewer and more general rules.',
  },
  'long-prompt': {
    severity: 'warning',
    meaning: 'The prompt is longer than 512 kB. Troupe looks at the first 512 kB, and carries the rest over as it is.',
    hint: 'Put what is needed now and then into files that the agent can read.',
  },
  'too-much-included': {
    severity: 'error',
    meaning:
      'The files that prompts include have more than 1 MB in all, or are more than 500. References behind that are left as they are.',
    hint: 'Let the prompt name the files, so that the agent reads what it needs.',
  },
  'unreadable-access': {
    severity: 'error',
    meaning:
      'A key that limits what the agent may do cannot be understood. Troupe reads it as "nothing is allowed", and converts the agent only where something of it is clear.',
    hint: 'Write it in the form the harness documents; `troupe harnesses ID` shows it.',
  },
  'changed-elsewhere': {
    severity: 'warning',
    meaning: 'Another part of the file changes the definition. Troupe reads it as it stands in its own place.',
    hint: 'Write the change into the definition itself, or see that it takes nothing back that limits the agent.',
  },
  'disputed-order': {
    severity: 'warning',
    meaning:
      'Rules that are read in another order give another answer, and documents of the format disagree about the order.',
    hint: 'Write patterns of which only one matches a call, so that every reader takes them alike.',
  },
  'declared-twice': {
    severity: 'warning',
    meaning: 'An agent is declared in one source and found as a file in another. The declaration counts.',
    hint: 'Keep one of the two.',
  },
  'missing-reference': {
    severity: 'error',
    meaning: 'The definition refers to a file that cannot be read.',
  },
  'missing-key': {
    severity: 'error',
    meaning: 'A key is absent that the harness needs.',
  },
  'invalid-value': {
    severity: 'error',
    meaning: 'A value is not of the form the harness expects.',
  },
  'unknown-key': {
    severity: 'info',
    meaning: 'The harness does not know this key.',
    hint: 'Remove it.',
  },
  'inert-key': {
    severity: 'warning',
    meaning: 'The harness accepts this key, and nothing comes of it.',
  },
  'unparsable-front-matter': {
    severity: 'error',
    meaning: 'The harness cannot read the file, or its front matter, although Troupe recovered it.',
  },
  'repaired-once': {
    severity: 'error',
    meaning: 'The harness repairs the front matter the first time only; later it loads the agent without its keys.',
    hint: 'Write valid YAML; `troupe check --fix` does it.',
  },
  // Tools and access
  'unknown-tool': {
    severity: 'warning',
    meaning: 'The harness does not know this tool.',
  },
  'no-tools': {
    severity: 'warning',
    meaning: 'The agent ends up without any tool.',
    hint: 'Leave the key out if the agent should have all tools.',
  },
  'implied-access': {
    severity: 'warning',
    meaning: 'Another key gives the agent more than its list of tools says.',
  },
  'not-enforced': {
    severity: 'warning',
    meaning: 'The definition restricts the agent in a way that the harness does not hold to.',
  },
  'unreachable-rule': {
    severity: 'warning',
    meaning: 'A permission rule can never decide anything, because another rule always wins.',
    hint: 'Where the last match wins, write general rules first and exceptions after them.',
  },
  'default-overridden': {
    severity: 'warning',
    meaning: "A rule of the agent takes back a caution of the harness's own defaults.",
  },
  'shell-can-write': {
    severity: 'info',
    meaning: 'The agent may not edit files but may use a shell, which can.',
  },
  // Model, prompt, name
  'unknown-model': {
    severity: 'error',
    meaning: 'The harness does not accept this model.',
  },
  'template-variable': {
    severity: 'error',
    meaning: 'The prompt contains a placeholder that the harness tries to fill in.',
  },
  'short-prompt': {
    severity: 'error',
    meaning: 'The prompt is empty or too short for the harness.',
  },
  'invalid-name': {
    severity: 'error',
    meaning: 'The harness does not accept this name.',
  },
  'taken-name': {
    severity: 'warning',
    meaning: 'The harness has an agent of its own of that name, which is called instead.',
    hint: 'Give it another name.',
  },
  'name-collision': {
    severity: 'warning',
    meaning: 'Two agents of one harness have the same name.',
    hint: 'Rename one of them.',
  },
  // The project
  'read-by-others': {
    severity: 'info',
    meaning: 'Other harnesses load the agents of this folder too, and read them in their own way.',
  },
  'needs-trust': {
    severity: 'info',
    meaning: "The harness reads a project's agents only after something else was done.",
  },
  'not-an-agent': {
    severity: 'warning',
    meaning: 'A file lies among agents and is none, or nothing in it says that it is one.',
    hint: 'Give it front matter with a name and a description if an agent is meant; otherwise keep it elsewhere.',
  },
  'disabled-agent': {
    severity: 'warning',
    meaning: 'The agent is switched off in its own harness, so it was not converted.',
    hint: 'Switch it on there to convert it.',
  },
  'other-defaults': {
    severity: 'info',
    meaning: 'A harness asks about or denies something by itself, and the target does not. No definition says it.',
  },
  'revived-file': {
    severity: 'warning',
    meaning: 'The harness of the agent does not load its file; what was made of it for another harness runs.',
    hint: 'See that you want this agent, and correct its file.',
  },
  'broken-manifest': {
    severity: 'warning',
    meaning:
      'The manifest of a plugin or of a marketplace names something that is not there, leads out of it, or is not loaded.',
  },
  'limiting-key': {
    severity: 'error',
    meaning: 'A key that no harness data explains seems to limit the agent; what it means elsewhere nobody can say.',
    hint: 'Write the limit in a way that the harness knows, or pass over the key with --ignore-key NAME.',
  },
  'broken-harness-file': {
    severity: 'error',
    meaning: 'A harness file of your own is not valid, so it is not used.',
  },
  'untrusted-harness-file': {
    severity: 'warning',
    meaning: 'A harness file that came with a project is used only after you trusted it once.',
    hint: 'Read it, then run `troupe harnesses trust FILE`.',
  },
  // Adapters imported as harness files
  'broken-adapter': {
    severity: 'error',
    meaning: 'The adapter lacks something without which no harness file can be made of it.',
  },
  'adapter-default': {
    severity: 'warning',
    meaning: 'The adapter does not say something, so a careful default stands in the harness file.',
  },
  'adapter-unused': {
    severity: 'info',
    meaning: 'The adapter says something that cannot be understood, or that a harness file has no place for.',
  },
  'harness-replaced': {
    severity: 'warning',
    meaning: 'An imported harness file takes the place of one that Troupe brings along.',
    hint: 'Import it with --id NAME to have both.',
  },
  // Sections of the HUD
  'broken-template': {
    severity: 'error',
    meaning: 'The template or the condition of a section cannot be understood, so the section is left out.',
  },
  'unknown-data': {
    severity: 'warning',
    meaning: 'A section speaks of data that no source gives.',
  },
  'untrusted-command': {
    severity: 'warning',
    meaning: 'A section wants to run a command that was never trusted here, so it is not run and its data is unknown.',
    hint: 'Read the command, then run `troupe hud trust`.',
  },
  // Conversions
  'wider-access': {
    severity: 'error',
    meaning: 'In the target the agent could do more than its definition says, so it was not written.',
    hint: 'Accept it with --allow-widening=CAPABILITY, or convert to a harness that can hold the agent to it.',
  },
  'dead-grants': {
    severity: 'error',
    meaning: 'The harness of the agent knows none of the tools that it lists, so it was not written.',
    hint: 'Correct the names in the list, or grant what they mean with --revive.',
  },
  'remote-agent': {
    severity: 'error',
    meaning: 'The agent is another program that its harness only calls, so nothing of it can be converted.',
    hint: 'Connect the target to that program in its own way.',
  },
  'settings-limit': {
    severity: 'warning',
    meaning:
      'A file of settings takes tools away from every agent of a harness. It is no part of any definition, so it does not go along.',
    hint: 'Say it in the settings of the target too, or in the definitions.',
  },
  'no-prompt': {
    severity: 'error',
    meaning: 'The agent has no prompt, or only a reference to one that could not be followed, so it was not written.',
    hint: 'Write the prompt into the definition, or put the file there that it refers to.',
  },
  'nothing-left': {
    severity: 'error',
    meaning:
      'The agent could do nothing at all in the target, although it may do something here, so it was not written.',
    hint: 'Convert it to another harness, or to another kind of file.',
  },
  'not-read-back': {
    severity: 'error',
    meaning: 'What would have been written says something else when it is read back, so it was not written.',
    hint: 'Convert it to another kind of file; if this kind can hold it, please report it with the file.',
  },
  'same-output': {
    severity: 'error',
    meaning: 'Several agents would become the same file, with different contents; none of them was written.',
    hint: 'Choose one dialect with --from, or give one of the agents another name.',
  },
  'not-written': {
    severity: 'error',
    meaning: 'The file could not be written, or must not be.',
    hint: 'A file that Troupe did not write, or that was changed since, is only replaced with --force.',
  },
  'not-in-step': {
    severity: 'error',
    meaning: 'An output of `troupe build` is not what its source says.',
    hint: 'Run `troupe build`, and commit what it writes.',
  },
  'config-not-edited': {
    severity: 'error',
    meaning: 'A configuration file of the target could not be edited safely and was left untouched.',
    hint: 'Make it valid and convert again, or add the settings by hand.',
  },
  // Imports
  'left-out': {
    severity: 'warning',
    meaning: 'Something of the agent, or a whole file, has no place in what was written.',
  },
  'other-words': {
    severity: 'info',
    meaning: 'A value was written in the words of the target, which may say less.',
  },
  'line-ends': {
    severity: 'info',
    meaning: 'The lines of a prompt end otherwise than in its own file.',
  },
  'damaged-text': {
    severity: 'warning',
    meaning: 'Troupe reads the text as it was, but the program that it was written for will not.',
  },
  'not-converted': {
    severity: 'error',
    meaning: 'Troupe failed on this agent. The others are not affected.',
    hint: 'This is a defect of Troupe; please report it with the file.',
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
