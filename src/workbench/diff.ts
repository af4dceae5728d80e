/** Compares agents with their converted versions: matched by name, prompts line by line. */

import type { Converted } from '../convert/convert.ts'
import type { Target } from '../convert/plan.ts'
import { compareLines, diffLines, linesOf, unifiedHunks } from '../formats/line-diff.ts'
import type { Diagnostic } from '../model/findings.ts'
import { type AgentMatch, rateLines, rateUnmatched } from '../model/score.ts'
import type { FoundAgent } from './inventory.ts'
import { conversionFailed } from './refusal.ts'

/** The conversion of an agent, and its name there. */
export type Render = (found: FoundAgent, target: Target) => Converted
export type NameIn = (found: FoundAgent, target: Target) => string

export interface DiffOptions {
  readonly render: Render
  readonly nameOf: NameIn
  /** Whether the lines themselves are wanted. */
  readonly patch: boolean
}

export interface Difference {
  readonly agents: readonly AgentMatch[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Compares with existing files. Changes made by the converter are distinguished from later edits. */
export function diffWithFiles(
  sources: readonly FoundAgent[],
  files: readonly FoundAgent[],
  options: DiffOptions,
): Difference {
  const counterparts = findByName(files, options.nameOf)
  const taken = new Set<FoundAgent>()
  const diagnostics: Diagnostic[] = []
  const agents = sources.flatMap((source) => {
    const found = counterparts(source)
    if (found.length === 0) return [missing(source)]
    return found.map((compiled) => {
      taken.add(compiled)
      const { harness, carrier } = compiled.file.candidate
      const meant = () => {
        const rendered = attempt(source, { harness, carrier }, options.render, diagnostics)
        return rendered === null ? null : linesOf(rendered.agent.prompt.text)
      }
      return compare(source, sideOf(compiled), meant, options)
    })
  })
  const extra = files.filter((one) => !taken.has(one)).map(extraOf)
  return { agents: [...agents, ...extra], diagnostics }
}

/** Compares with what a conversion would write now. */
export function diffWithTargets(
  sources: readonly FoundAgent[],
  targets: readonly Target[],
  options: DiffOptions,
): Difference {
  const diagnostics: Diagnostic[] = []
  const agents = targets.flatMap((target) =>
    sources.map((source) => {
      const rendered = attempt(source, target, options.render, diagnostics)
      if (rendered === null) return missing(source)
      const { agent, output, record } = rendered
      const prompt = agent.prompt.text
      const text = output.kind === 'file' ? output.text : ''
      const side = { path: record.target.files[0] ?? target.harness.id, prompt, text }
      return compare(source, side, () => linesOf(prompt), options)
    }),
  )
  return { agents, diagnostics }
}

/** One bad file does not stop the others. */
function attempt(
  source: FoundAgent,
  target: Target,
  render: Render,
  diagnostics: Diagnostic[],
): ReturnType<Render> | null {
  try {
    return render(source, target)
  } catch (error) {
    diagnostics.push(conversionFailed(source.path, error))
    return null
  }
}

/** By the name an agent gets in the dialect of the file, or by its own, if that was kept. */
function findByName(files: readonly FoundAgent[], nameOf: NameIn): (source: FoundAgent) => readonly FoundAgent[] {
  const kinds = new Map<Target['carrier'], { target: Target; byName: Map<string, FoundAgent[]> }>()
  for (const found of files) {
    const { harness, carrier } = found.file.candidate
    const kind = kinds.get(carrier) ?? { target: { harness, carrier }, byName: new Map() }
    kinds.set(carrier, kind)
    kind.byName.set(found.agent.name, [...(kind.byName.get(found.agent.name) ?? []), found])
  }
  return (source) =>
    [...kinds.values()].flatMap(({ target, byName }) => {
      return byName.get(nameOf(source, target)) ?? byName.get(source.agent.name) ?? []
    })
}

interface Side {
  readonly path: string
  readonly prompt: string
  /** The whole file, where it contains the prompt verbatim. */
  readonly text: string
}

function sideOf({ path, agent, file }: FoundAgent): Side {
  return { path, prompt: agent.prompt.text, text: file.source.text }
}

function compare(
  source: FoundAgent,
  compiled: Side,
  meant: () => readonly string[] | null,
  { patch }: DiffOptions,
): AgentMatch {
  const original = sideOf(source)
  const before = linesOf(original.prompt)
  const after = linesOf(compiled.prompt)
  const judged = rateLines(compareLines(before, after, meant))
  const row = { name: source.name, source: source.path, compiled: compiled.path, ...judged }
  if (!patch) return row
  const offsets = { before: linesAbove(original), after: linesAbove(compiled) }
  return { ...row, patch: unifiedHunks(before, after, diffLines(before, after), offsets) }
}

/** A prompt below its front matter; one in a key is counted from its own first line. */
function linesAbove({ text, prompt }: Side): number {
  return text.endsWith(prompt) ? text.slice(0, text.length - prompt.length).split('\n').length - 1 : 0
}

function missing({ agent, name, path }: FoundAgent): AgentMatch {
  const judged = rateUnmatched('missing', linesOf(agent.prompt.text).length)
  return { name, source: path, compiled: null, ...judged }
}

function extraOf({ agent, name, path }: FoundAgent): AgentMatch {
  const judged = rateUnmatched('extra', linesOf(agent.prompt.text).length)
  return { name, source: null, compiled: path, ...judged }
}
