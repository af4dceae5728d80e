/** What the reports of a conversion need to know of the harnesses: versions, what they must be told first, and how they compare. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Concept } from '../model/agent.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { AcceptedGain, PlatformFact, ReportContext } from '../report/migration.ts'
import { version } from './version.ts'

export function reportContext(
  registry: Registry,
  conversions: readonly Conversion[],
  accepted: readonly AcceptedGain[],
  diagnostics: readonly Diagnostic[],
): ReportContext {
  const ids = [...new Set(conversions.flatMap(({ source, target }) => [source.harness, target.harness]))]
  const harnesses = ids.flatMap((id) => registry.byId(id) ?? [])
  const targets = new Set(conversions.map(({ target }) => target.harness))
  const sources = harnesses.filter(({ id }) => conversions.some(({ source }) => source.harness === id))
  const inTargets = harnesses.filter(({ id }) => targets.has(id))
  return {
    harnesses: harnesses.map(({ id, title, checked }) => ({
      id,
      title,
      checkedVersion: checked.version,
      checkedDate: checked.date,
    })),
    version: version(),
    setup: Object.fromEntries(inTargets.flatMap(({ id, trust }) => (trust === undefined ? [] : [[id, [trust.needs]]]))),
    comparison: Object.fromEntries(inTargets.map((target) => [target.id, compare(sources, target)])),
    accepted,
    diagnostics,
  }
}

const concepts: readonly (readonly [string, Concept])[] = [
  ['Description', 'description'],
  ['Model per agent', 'model'],
  ['Skills', 'skills'],
  ['MCP servers', 'mcpServers'],
  ['Hooks', 'hooks'],
  ['Memory', 'memory'],
  ['Limit of turns', 'maxTurns'],
  ['Permission mode', 'permissionMode'],
]

const tools: readonly (readonly [string, string])[] = [
  ['Calling agents', 'delegate'],
  ['Messages between agents', 'message'],
  ['Asking the user', 'ask'],
  ['Task lists', 'task'],
]

/** One line for everything that some source has. */
function compare(sources: readonly Harness[], target: Harness): PlatformFact[] {
  const fields = concepts.map(([capability, concept]) => {
    return fact(
      capability,
      sources.map((one) => fieldWord(one, concept)),
      fieldWord(target, concept),
    )
  })
  const words = tools.map(([capability, tool]) => {
    return fact(
      capability,
      sources.map((one) => toolWord(one, tool)),
      toolWord(target, tool),
    )
  })
  const limits = fact('Tools per agent', sources.map(accessWord), accessWord(target))
  return [limits, ...fields, ...words]
}

interface Word {
  readonly text: string
  readonly isPartial: boolean
}

function fact(capability: string, sources: readonly (Word | null)[], target: Word | null): PlatformFact {
  const status = target === null ? 'unsupported' : target.isPartial ? 'partial' : 'supported'
  const known = [...new Set(sources.map((word) => word?.text ?? 'no'))]
  return { capability, source: known.join(', '), target: target?.text ?? 'no', status }
}

function fieldWord({ fields }: Harness, concept: Concept): Word | null {
  const spec = fields[concept]
  if (spec === null || spec === undefined) return null
  const text = spec.key ?? spec.config?.path ?? spec.embedded ?? 'yes'
  return { text, isPartial: spec.partial !== undefined || spec.inert !== undefined }
}

function toolWord({ words }: Harness, tool: string): Word | null {
  const word = words[tool]
  if (word === null || word === undefined) return null
  if (typeof word === 'string') return { text: word, isPartial: false }
  return 'partial' in word
    ? { text: word.partial, isPartial: true }
    : { text: word.composite.join(', '), isPartial: false }
}

/** The key that restricts, if the harness holds to it at all. */
function accessWord({ access, fields }: Harness): Word | null {
  const layers = access.layers.filter(({ legacy, codec }) => legacy !== true && codec !== 'agent-list')
  const [first] = layers
  if (first === undefined) return null
  const isHeld = (fields.mode?.roles ?? ['main', 'child']).every((role) => first.enforced?.[role as 'main'] !== 'no')
  return { text: first.key, isPartial: !isHeld }
}
