/**
 * Compiles the harness files and the sections of the HUD into the JSON modules that the program imports. It runs before
 * everything else, also in a fresh clone, so it imports nothing that it writes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { compileHarnesses } from './generate/harnesses.ts'
import { hudData } from './generate/hud-data.ts'

const { harnesses, sources } = compileHarnesses('harnesses')
mkdirSync('src/generated', { recursive: true })
for (const [name, data] of Object.entries({ harnesses, 'harness-sources': sources, hud: hudData(harnesses) }))
  writeFileSync(`src/generated/${name}.json`, `${JSON.stringify(data, null, 2)}\n`)
