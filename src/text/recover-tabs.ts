/** Reads YAML that is indented with tabs as if they were spaces. */
import type { Finding } from '../model/diagnostics.ts'
import { LARGE, replaceInView, type View } from './view.ts'
import { readStrictYaml } from './yaml-library.ts'
import type { StrictYaml } from './yaml-tree.ts'

export interface TabReading {
  readonly strict: StrictYaml
  readonly findings: readonly Finding[]
}

// Tabs that follow spaces may be the content of a block, so lines that begin with a tab are tried alone first.
const LEADING = [/^\t[ \t]*(?=\S)/gm, /^ *\t[ \t]*(?=\S)/gm]
const WIDTHS = [2, 4, 8]

/** Null when the tabs are not what is wrong. */
export function readWithoutTabs(view: View): TabReading | null {
  if (view.text.length > LARGE || !/^ *\t/m.test(view.text)) return null
  let before = 0
  for (const leading of LEADING) {
    const runs = [...view.text.matchAll(leading)]
    if (runs.length === before) continue
    before = runs.length
    for (const width of WIDTHS) {
      const pieces = runs.map(({ index, 0: run }) => {
        return { start: index, end: index + run.length, text: run.replaceAll('\t', ' '.repeat(width)) }
      })
      const strict = readStrictYaml(replaceInView(view, pieces))
      if (strict.problems.length === 0) return { strict, findings: pieces.map((piece) => describe(view, piece)) }
    }
  }
  return null
}

function describe(view: View, piece: { start: number; end: number; text: string }): Finding {
  const range = { start: view.toFile(piece.start), end: view.toFile(piece.end) }
  const message = 'This line is indented with a tab, which YAML does not allow; it was read as spaces.'
  return { code: 'tab-indentation', message, range, fix: [{ range, text: piece.text }] }
}
