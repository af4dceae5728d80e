/** What is compiled into the HUD: the sections of `hud/`, and the folders that harness files name for those of users. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Harness } from '../../src/harness/schema/harness.ts'

export function hudData(harnesses: readonly Harness[]): object {
  const files = readdirSync('hud')
    .filter((name) => name.endsWith('.md'))
    .sort()
  const folders = harnesses.flatMap(({ hud }) => (hud !== undefined && 'sections' in hud ? [hud.sections] : []))
  return {
    sections: Object.fromEntries(files.map((name) => [name.slice(0, -3), readFileSync(`hud/${name}`, 'utf8')])),
    folders: {
      user: folders.flatMap((one) => (one === undefined ? [] : [one.user])),
      project: folders.flatMap((one) => (one === undefined ? [] : [one.project])),
    },
  }
}
