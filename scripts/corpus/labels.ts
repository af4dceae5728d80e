/** How well tool names in prompts are distinguished from English, on labelled places. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { convertPrompt, scanPrompt } from '../../src/convert/prompt/convert-prompt.ts'
import { splitFrontMatter } from '../../src/formats/front-matter.ts'
import { indexLines } from '../../src/formats/lines.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import type { Carrier, Harness } from '../../src/harness/schema/harness.ts'

interface Label {
  readonly repo: string
  readonly path: string
  /** Both from 1. */
  readonly line: number
  readonly col: number
  readonly word: string
  readonly label: 'tool' | 'english' | 'ambiguous'
  readonly class: string
  readonly split?: string
  /** The dialect of the file; without it Claude Code's. */
  readonly harness?: string
}

interface Count {
  rewritten: number
  wrongly: number
  tools: number
  found: number
  /** Words that must never be changed, but were. */
  forbidden: number
}

const BAR = { precision: 0.98, recall: 0.9 }
const imperatives = new Set(['Read', 'Write', 'Edit', 'Task', 'Agent', 'Skill'])

/** Prints figures for every file and split, and sets the exit code to 1 below the bar. */
export function measureLabels(files: readonly string[], corpusFolder: string): void {
  const manifest: { repo: string; dir: string }[] = JSON.parse(
    readFileSync(join(dirname(corpusFolder), 'manifest.json'), 'utf8'),
  )
  const folders = new Map(manifest.map(({ repo, dir }) => [repo, dir]))
  const rewrites = new Map<string, (line: number, column: number) => boolean>()
  const isRewritten = ({ repo, path, line, col, harness = 'claude-code' }: Label) => {
    const place = join(corpusFolder, folders.get(repo) ?? repo, path)
    const key = `${harness} ${place}`
    const known = rewrites.get(key) ?? rewritesOf(readFileSync(place, 'utf8'), harness)
    rewrites.set(key, known)
    return known(line, col)
  }
  for (const file of files) {
    const labels: Label[] = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line))
    for (const split of new Set(labels.map(({ split }) => split ?? 'all'))) {
      const own = labels.filter((label) => (label.split ?? 'all') === split)
      report(`${basename(file)} ${split}`, count(own, isRewritten))
    }
  }
}

/** The places of a file that change on the way to a harness in which every tool has another name. */
function rewritesOf(text: string, harness: string): (line: number, column: number) => boolean {
  const registry = createRegistry()
  const source = registry.byId(harness) as Harness
  const target = registry.byId(harness === 'claude-code' ? 'opencode' : 'claude-code') as Harness
  const { start } = splitFrontMatter(text).body
  const prompt = text.slice(start)
  const { changes } = convertPrompt({
    text: prompt,
    source,
    target,
    carrier: target.carriers[0] as Carrier,
    renamed: new Map(),
    resolve: () => 'todo',
    model: () => null,
  })
  // What is reported as something to do by hand was understood too.
  const noted = scanPrompt(prompt, source)
    .references()
    .map((range) => ({ range }))
  const tools = [...changes.filter(({ rule }) => rule === 'tool-reference'), ...noted]
  const lines = indexLines(text)
  return (line, column) => {
    const offset = lines.startOf(line) + column - 1 - start
    return tools.some(({ range }) => range.start <= offset && offset < range.end)
  }
}

/** Places that a person could not decide do not count. */
function count(labels: readonly Label[], isRewritten: (label: Label) => boolean): Count {
  const result = { rewritten: 0, wrongly: 0, tools: 0, found: 0, forbidden: 0 }
  for (const label of labels) {
    if (label.label === 'ambiguous') continue
    const changed = isRewritten(label)
    if (label.label === 'tool') {
      result.tools++
      if (changed) result.found++
    }
    if (!changed) continue
    result.rewritten++
    if (label.label === 'tool') continue
    result.wrongly++
    const isNever = ['heading', 'hyphenated'].includes(label.class)
    if (isNever || (label.class === 'line-start' && imperatives.has(label.word))) result.forbidden++
  }
  return result
}

function report(title: string, { rewritten, wrongly, tools, found, forbidden }: Count): void {
  const precision = rewritten === 0 ? 1 : (rewritten - wrongly) / rewritten
  const recall = tools === 0 ? 1 : found / tools
  const holds = precision >= BAR.precision && recall >= BAR.recall && forbidden === 0
  const least = (share: number, of: number) => `${share.toFixed(3)} (at least ${lowerBound(share, of).toFixed(3)})`
  console.log(
    `${holds ? '✓' : '✗'} ${title}: precision ${least(precision, rewritten)} of ${rewritten}, recall ${least(recall, tools)} of ${tools}, forbidden ${forbidden}`,
  )
  if (!holds) process.exitCode = 1
}

/** The lower bound of the 95 % Wilson interval for a share. */
function lowerBound(share: number, of: number): number {
  if (of === 0) return 0
  const z = 1.96
  const middle = share + (z * z) / (2 * of)
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return (middle - spread) / (1 + (z * z) / of)
}
