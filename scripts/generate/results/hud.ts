/** What `troupe hud` prints: the sections, what an agent sees, what was installed, which commands are trusted. */
import * as v from 'valibot'
import type { HudChange } from '../../../src/hud/install.ts'
import { refreshes, sectionLayers, sectionPositions } from '../../../src/hud/sections/section.ts'
import type { HudRow } from '../../../src/report/harnesses.ts'
import { count, diagnostics, result, said, text } from './atoms.ts'

const section = v.object({
  name: text,
  description: v.nullable(text),
  layer: said(v.picklist(sectionLayers), 'The layer of the file that decided last.'),
  path: said(v.nullable(text), 'The file; null: the section is built in.'),
  position: v.picklist(sectionPositions),
  priority: v.number(),
  refresh: v.picklist(refreshes),
  shown: v.picklist(['whole', 'line', 'cut', 'no']),
  why: said(v.nullable(text), 'Why it is not shown, or not whole.'),
  tokens: count,
  text: said(text, 'The text that the model sees; empty: it is not shown.'),
}) satisfies v.GenericSchema<HudRow>

const change = v.object({
  harness: text,
  path: text,
  status: v.picklist(['written', 'unchanged', 'edited', 'removed', 'failed']),
  message: v.exactOptional(text),
}) satisfies v.GenericSchema<HudChange>

const figures = {
  agent: said(v.nullable(text), 'The agent that sees it; null: an agent of any name.'),
  tokens: said(count, 'An estimate: four characters of English count as one token.'),
  budget: count,
  sections: said(v.array(section), 'The sections, in order.'),
  diagnostics,
}

export const hudResult = v.union([
  said(result({ ...figures, text: said(text, 'The text for the prompt.') }), 'With render.'),
  said(
    result({
      ...figures,
      harnesses: v.array(
        v.object({
          id: text,
          title: text,
          installed: v.boolean(),
          none: said(v.nullable(text), 'Why it cannot be installed there.'),
        }),
      ),
    }),
    'Without an argument.',
  ),
  said(
    result({
      action: v.picklist(['install', 'uninstall']),
      dryRun: v.boolean(),
      changes: v.array(change),
      cannot: said(v.array(v.object({ harness: text, why: text })), 'Harnesses in which it cannot be installed.'),
    }),
    'With install and uninstall.',
  ),
  said(
    result({
      commands: v.array(v.object({ section: text, path: v.nullable(text), command: text, trusted: v.boolean() })),
    }),
    'With trust.',
  ),
])
