/** What `troupe hud` prints: the sections, what an agent sees, what was installed, which commands are trusted. */
import * as v from 'valibot'
import type { HudChange } from '../../../src/hud/install.ts'
import { refreshes, sectionLayers, sectionPositions } from '../../../src/hud/sections/section.ts'
import type { HudRow } from '../../../src/report/harnesses.ts'
import { count, diagnostics, result, said, text } from './atoms.ts'

const section = v.object({
  name: text,
  description: v.nullable(text),
  layer: said(v.picklist(sectionLayers), 'Where the file stands that decided last.'),
  path: said(v.nullable(text), 'Null: Troupe brings it along.'),
  position: v.picklist(sectionPositions),
  priority: v.number(),
  refresh: v.picklist(refreshes),
  shown: v.picklist(['whole', 'line', 'cut', 'no']),
  why: said(v.nullable(text), 'Why it is not shown, or not whole.'),
  tokens: count,
  text: said(text, 'As the model sees it; empty where it is not shown.'),
}) satisfies v.GenericSchema<HudRow>

const change = v.object({
  harness: text,
  path: text,
  status: v.picklist(['written', 'unchanged', 'edited', 'removed', 'failed']),
  message: v.exactOptional(text),
}) satisfies v.GenericSchema<HudChange>

const figures = {
  agent: said(v.nullable(text), 'Who looks at it; null: an agent of any name.'),
  tokens: said(count, 'About: four characters of English are taken for one.'),
  budget: count,
  sections: said(v.array(section), 'In their order.'),
  diagnostics,
}

export const hudResult = v.union([
  said(result({ ...figures, text: said(text, 'What is put into the prompt.') }), 'With render.'),
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
    'Without a word.',
  ),
  said(
    result({
      action: v.picklist(['install', 'uninstall']),
      dryRun: v.boolean(),
      changes: v.array(change),
      cannot: said(v.array(v.object({ harness: text, why: text })), 'Harnesses that cannot take it.'),
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
