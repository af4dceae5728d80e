/** The JSON document of every command. A new command needs a line here; otherwise the tests fail. */
import * as v from 'valibot'
import { harnessSchema } from '../../../src/harness/schema/harness.ts'
import {
  type Component,
  type ComponentConversion,
  componentKinds,
  componentStatuses,
} from '../../../src/model/component.ts'
import type { Acceptance } from '../../../src/model/conversion.ts'
import type { Adoption, Drift } from '../../../src/model/drift.ts'
import type { RunFigures } from '../../../src/report/conversion/run.ts'
import type { Undone } from '../../../src/sync/run/undo.ts'
import { agentDetails, agentRow } from './agent.ts'
import { action, count, diagnostic, diagnostics, ordinal, result, said, severityCounts, text } from './atoms.ts'
import { conversion } from './conversion.ts'
import { agentMatch, percentage } from './diff.ts'
import { effectiveResult } from './effective.ts'
import { hudResult } from './hud.ts'
import { portrait, verifiedHarness } from './verification.ts'
import { workResults } from './work.ts'

const position = { line: v.exactOptional(ordinal), column: v.exactOptional(ordinal) }

const convertSummary = v.object({
  agents: count,
  written: count,
  unchanged: count,
  planned: count,
  refused: count,
  failed: count,
  fidelity: said(count, 'The mean over agents.'),
  widened: said(count, 'Agents that can do more than before.'),
  gaps: count,
}) satisfies v.GenericSchema<RunFigures>

const { fidelity: _fidelity, widened: _widened, gaps: _gaps, ...outputCounts } = convertSummary.entries
const buildSummary = v.object({
  ...outputCounts,
  agents: said(count, 'The number of outputs: each agent counts once for each target.'),
})

const takenBack = v.object({
  path: text,
  status: v.picklist(['removed', 'restored', 'left', 'failed']),
  message: v.exactOptional(text),
}) satisfies v.GenericSchema<Pick<Undone['files'][number], 'path' | 'status'>>

const component = v.object({
  kind: v.picklist(componentKinds),
  name: said(text, 'What its harness calls it.'),
  harness: said(text, 'The harness in whose place it is.'),
  plugin: said(v.nullable(text), 'The plugin that contains it.'),
  path: text,
  files: said(v.array(text), 'Everything that belongs to it.'),
  readBy: said(v.array(text), 'The harnesses that read it where it is.'),
  diagnostics,
}) satisfies v.GenericSchema<Component>

const componentConversion = v.object({
  kind: v.picklist(componentKinds),
  name: said(text, 'What its harness calls it.'),
  plugin: said(v.nullable(text), 'The plugin that contains it.'),
  source: v.object({ harness: text, path: text }),
  target: v.object({ harness: text, name: text, files: v.array(text) }),
  status: said(
    v.picklist(componentStatuses),
    'As for agents; `read`: the target reads it where it is; `left`: it is not converted.',
  ),
  reason: said(v.nullable(text), 'Why it was not converted.'),
  converted: said(
    v.nullable(v.pick(conversion, ['fidelity', 'features', 'gaps', 'edits'])),
    'What became of its parts, as for agents; null: it was not converted.',
  ),
  diagnostics,
}) satisfies v.GenericSchema<ComponentConversion>

const call = v.object({ tool: said(text, 'The neutral name of the tool.'), argument: v.exactOptional(text) })

/** Parts that several results refer to by name. */
export const parts = { diagnostic, agent: agentRow, conversion, verified: verifiedHarness }

/** Parts with a schema of their own. */
export const others = { harness: harnessSchema }

/** A harness with all defaults filled in: the sections of its file, and what follows from them. */
const { extends: _extends, ...sections } = harnessSchema.entries
const compiledHarness = v.object({
  ...Object.fromEntries(
    Object.keys(sections).map((key) => [
      key,
      v.exactOptional(said(v.unknown(), `The section \`${key}\` of its file, as schema/harness.json describes it.`)),
    ]),
  ),
  id: said(text, 'Its name in options and files.'),
  title: said(text, 'Its name for people.'),
  family: said(text, 'Whose native names it uses: its own id, or that of the harness it is a fork of.'),
})

const drift = v.object({
  kind: v.picklist(['missing', 'source-changed', 'rules-changed', 'edited', 'foreign', 'stale']),
  path: said(text, 'The path of the output.'),
  source: v.nullable(text),
  agent: v.nullable(text),
  target: v.nullable(text),
}) satisfies v.GenericSchema<Drift>

const acceptance = v.object({
  agent: text,
  target: text,
  capability: text,
  reason: v.nullable(text),
}) satisfies v.GenericSchema<Acceptance>

const adoption = v.object({
  path: said(text, 'The path of the output that was changed by hand.'),
  source: v.nullable(text),
  target: v.nullable(text),
  changes: said(v.array(text), 'What was changed in the source: its keys, and `prompt`.'),
  widened: said(v.array(text), 'What the agent would gain.'),
  problem: said(v.nullable(text), 'Why it was not adopted; null: it was.'),
}) satisfies v.GenericSchema<Adoption>

export const results: Readonly<Record<string, v.GenericSchema>> = {
  init: result({ path: text, source: text, targets: v.array(text) }),
  new: result({ name: said(text, 'The name, as the harness accepts it.'), path: text }),
  build: result({
    drift: said(v.array(drift), 'Outputs that are not, or were not, up to date with their source.'),
    adoptions: said(v.array(adoption), 'With --on-edit adopt: the edits that were considered.'),
    accepted: said(
      v.array(acceptance),
      'What agents may do beyond their definition, because `troupe.yaml` accepts it.',
    ),
    results: said(v.array(conversion), 'The outputs that were not up to date.'),
    components: said(v.array(componentConversion), 'What became of everything besides agents, target by target.'),
    summary: buildSummary,
    diagnostics,
  }),
  overview: result({
    agents: v.array(agentRow),
    components: said(v.array(component), 'What else harnesses read here: skills, commands, servers, instructions ...'),
    diagnostics,
    summary: v.object({ agents: count, ...severityCounts }),
  }),
  list: result({
    agents: v.array(agentRow),
    components: said(v.array(component), 'What else harnesses read here: skills, commands, servers, instructions ...'),
    outputs: said(
      v.array(v.object({ name: text, harness: text, path: text, builtFrom: text })),
      'The outputs that Troupe built from the agents.',
    ),
    nested: said(v.array(text), 'Projects in subfolders that have their own agents.'),
    diagnostics: said(diagnostics, 'Findings that do not belong to one agent.'),
  }),
  show: v.union([
    said(result({ agent: agentDetails }), 'The agent as Troupe understands it.'),
    said(result({ result: conversion, text: said(text, 'The file, or the entry of one.') }), 'With --as.'),
    said(result(effectiveResult), 'With --effective.'),
    said(result({ agent: text, portrait }), 'With --wire.'),
  ]),
  check: result({
    diagnostics,
    summary: v.object({
      agents: count,
      outputs: said(count, 'The number of outputs that were checked.'),
      repaired: said(count, 'The number of places that --fix repaired.'),
      ...severityCounts,
    }),
  }),
  explain: result({
    agent: text,
    call,
    action,
    compared: said(
      call,
      'What the harness compares with its rules; of several commands or paths, the one that decided.',
    ),
    layer: said(v.nullable(text), 'The layer that decided.'),
    rule: said(
      v.nullable(v.object({ native: text, path: text, ...position })),
      'The rule that decided; null: none matched. A default has no position in the file.',
    ),
    matched: v.array(v.object({ layer: text, native: text, action, path: v.exactOptional(text), ...position })),
    notes: said(v.array(text), 'What else could decide, and is not taken into account.'),
  }),
  convert: result({
    results: v.array(conversion),
    components: said(v.array(componentConversion), 'What became of everything besides agents, target by target.'),
    summary: convertSummary,
    harnesses: v.exactOptional(said(v.array(verifiedHarness), 'With --verify.')),
    diagnostics: said(diagnostics, 'Findings that do not belong to one agent.'),
  }),
  diff: result({
    agents: v.array(agentMatch),
    overall: said(percentage, 'The mean over agents, without extra ones.'),
    diagnostics: said(diagnostics, 'Findings that do not belong to one agent, and agents that could not be converted.'),
  }),
  import: result({
    path: said(v.nullable(text), 'The file; null: it was printed.'),
    status: said(
      v.nullable(v.picklist(['written', 'unchanged', 'planned', 'failed'])),
      'What happened to the file; null: none was requested.',
    ),
    text: v.exactOptional(said(text, 'The content of the file, if it was not written.')),
    agents: v.array(
      v.object({
        name: said(text, 'The name in the file.'),
        source: v.object({ name: said(text, 'The name in its own harness.'), harness: text, path: text }),
        imported: said(v.boolean(), 'False: it is not in the file.'),
        diagnostics,
      }),
    ),
    diagnostics: said(diagnostics, 'Findings that do not belong to one agent.'),
    summary: v.object({ agents: count, imported: count, leftOut: count }),
  }),
  verify: result({ harnesses: v.array(verifiedHarness), diagnostics }),
  harnesses: v.union([
    said(
      result({ harnesses: v.array(compiledHarness), diagnostics }),
      'What Troupe knows, with all defaults filled in.',
    ),
    said(
      result({
        harness: v.nullable(text),
        title: v.nullable(text),
        path: v.nullable(text),
        status: v.picklist(['written', 'unchanged', 'failed']),
        understood: v.array(v.object({ what: text, text })),
        diagnostics,
      }),
      'With import.',
    ),
    said(
      result({
        harness: text,
        path: text,
        status: v.picklist(['written', 'unchanged', 'failed']),
        diagnostics,
      }),
      'With new.',
    ),
    said(
      result({
        harness: said(v.nullable(text), 'Its id; null: the file has mistakes.'),
        title: v.nullable(text),
        problems: said(diagnostics, 'Mistakes in the harness file.'),
        agents: said(
          v.array(
            v.object({
              path: text,
              name: text,
              differences: said(v.array(text), 'What differs after it was written and read again, in words.'),
            }),
          ),
          'The agents of the samples.',
        ),
        unused: said(v.record(text, v.array(text)), 'What no sample uses, by part of the harness file.'),
        diagnostics: said(diagnostics, 'What reading the samples found.'),
      }),
      'With check.',
    ),
  ]),
  completion: v.union([
    said(result({ shell: v.picklist(['bash', 'zsh', 'fish']), script: text }), 'For a shell.'),
    said(result({ agents: v.array(text) }), 'With the word `agents`: their names.'),
  ]),
  hud: hudResult,
  undo: result({
    command: said(v.nullable(text), 'The command that was undone; null: there was nothing to undo.'),
    finished: said(v.nullable(v.boolean()), 'False: the run was interrupted.'),
    files: v.array(takenBack),
    dryRun: v.boolean(),
    summary: v.object({ removed: count, restored: count, left: count, failed: count }),
  }),
  ...workResults,
  error: result({
    error: said(
      v.object({ message: text, hint: v.exactOptional(text) }),
      'What every command prints instead of its result when it is called incorrectly (exit 2).',
    ),
  }),
}
