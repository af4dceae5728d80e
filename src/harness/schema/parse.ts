/** Parses the text of a harness file into a checked harness, or into sentences that describe its errors. */
import * as v from 'valibot'
import { parse } from 'yaml'
import { type Harness, harnessSchema } from './harness.ts'

export type ParsedHarness = { readonly harness: Harness } | { readonly problems: readonly string[] }

export function parseHarness(text: string): ParsedHarness {
  let data: unknown
  try {
    data = parse(text)
  } catch (error) {
    return { problems: [`not valid YAML: ${(error as Error).message.split('\n')[0]}`] }
  }
  const result = v.safeParse(harnessSchema, data)
  if (!result.success) return { problems: result.issues.map(describeIssue) }
  const problems = crossReferences(result.output)
  return problems.length > 0 ? { problems } : { harness: result.output }
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`
}

/** What the schema cannot check: that the parts of the file refer to each other correctly. */
function crossReferences(harness: Harness): string[] {
  const problems: string[] = []
  for (const mark of ['observed', 'claimed', 'suggested'] as const) {
    for (const path of harness.evidence[mark]) {
      if (!pathExists(harness, path.split('.'))) problems.push(`evidence.${mark}: ${path} is not in this file`)
    }
  }
  for (const { field, grants } of harness.access.implies) {
    if (!(field in harness.fields)) problems.push(`access.implies: ${field} is not a field`)
    for (const unit of grants) if (!(unit in harness.units)) problems.push(`access.implies: ${unit} is not a unit`)
  }
  for (const { name, tools = [] } of harness.agentTypes ?? []) {
    for (const unit of tools)
      if (!Object.hasOwn(harness.units, unit)) problems.push(`agentTypes.${name}: ${unit} is not a unit`)
  }
  const { plugins } = harness
  if (plugins !== undefined && !harness.carriers.some(({ id, plugin }) => id === plugins.carrier && plugin === true))
    problems.push(`plugins.carrier: ${plugins.carrier} is no kind of file with plugin: true`)
  for (const carrier of harness.carriers) {
    if (carrier.prompt.in === 'key' && carrier.prompt.key === undefined) {
      problems.push(`carriers.${carrier.id}.prompt: in: key needs a key`)
    }
    if (carrier.name.key === undefined && carrier.name.path === undefined) {
      problems.push(`carriers.${carrier.id}.name: needs a key or a path`)
    }
  }
  return problems
}

function pathExists(value: unknown, path: readonly string[]): boolean {
  const [head, ...rest] = path
  if (head === undefined) return value !== undefined
  if (Array.isArray(value))
    return value.some((item) => namesItself(item as { id?: unknown; key?: unknown }, head) && pathExists(item, rest))
  if (typeof value !== 'object' || value === null) return false
  return head in value && pathExists((value as Record<string, unknown>)[head], rest)
}

/** Items of a list are addressed by their id, or by their key. */
function namesItself({ id, key }: { id?: unknown; key?: unknown }, name: string): boolean {
  return id === name || key === name
}
