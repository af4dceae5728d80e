/** One text with no project around it: read, check, fix, convert it, and explain its access. */
import { settingsText } from '../convert/agent/read-back.ts'
import { createSource } from '../convert/agent/source.ts'
import { convertDefinition } from '../convert/convert.ts'
import { policyOf } from '../convert/gaps.ts'
import type { Target } from '../convert/plan.ts'
import { locateFindings } from '../formats/lines.ts'
import type { ReadAgent } from '../harness/read/agents.ts'
import { classifyAgentFile } from '../harness/recognise/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { ModelMap } from '../harness/write/models.ts'
import type { CommonGapResolution, Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/findings.ts'
import { expandBraces, suffixPattern } from '../model/path-glob.ts'
import { checkFile } from './check.ts'
import { type Candidate, type LoadedFile, readFileText } from './file.ts'
import { repairFile } from './fix.ts'
import { notAnAgentHere } from './inventory.ts'
import { nameAgents } from './naming.ts'
import { whyNotConvertible, wideningRefusal } from './refusal.ts'

export interface TextInput {
  readonly registry: Registry
  readonly harness: Harness
  readonly text: string
  /** Where the file would be; its name can name the agent. */
  readonly path: string
}

/** The text as a file of that harness. It refers to nothing: no file is read, no variable is looked up. */
export function openText({ registry, harness, text, path }: TextInput): LoadedFile {
  const carrier = carrierOf(harness, path)
  const relativePath = path.slice(path.lastIndexOf('/') + 1)
  const candidate: Candidate = { harness, carrier, path, relativePath, scope: 'project' }
  const nothing = { readBeside: () => null, environment: () => undefined }
  return readFileText(registry, candidate, path, { text, encoding: 'utf-8', findings: [] }, nothing)
}

/** By its place, or by its extension; if none matches, the harness's usual kind of file. */
function carrierOf({ carriers, title }: Harness, path: string): Carrier {
  const placed = carriers.find(({ project }) =>
    project?.read.flatMap(expandBraces).some((one) => suffixPattern(one).test(path)),
  )
  if (placed !== undefined) return placed
  const formats: Readonly<Record<string, Carrier['format']>> = {
    md: 'markdown',
    toml: 'toml',
    json: 'json',
    jsonc: 'json',
    yaml: 'yaml',
    yml: 'yaml',
  }
  const wanted = formats[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  const carrier = carriers.find(({ format }) => format === wanted) ?? carriers[0]
  if (carrier === undefined) throw new Error(`${title} has no kind of file for agents.`)
  return carrier
}

export function checkText(input: TextInput, readers: readonly Harness[] = []): Diagnostic[] {
  const { registry, text, path } = input
  return locateFindings(checkFile(registry, openText(input), readers), path, text)
}

/** The text with its mechanical mistakes repaired, and the repairs. Access never grows by it. */
export function fixText(input: TextInput): { readonly text: string; readonly repaired: readonly Diagnostic[] } {
  const { registry, text, path } = input
  const repair = repairFile(registry, openText(input))
  if (repair === null) return { text, repaired: [] }
  return { text: repair.text, repaired: locateFindings(repair.repaired, path, text) }
}

export interface ConvertTextOptions {
  readonly onGap?: CommonGapResolution
  readonly keepAsking?: boolean
  readonly allowWidening?: readonly string[]
  readonly revive?: readonly string[]
  readonly ignoreKeys?: readonly string[]
  readonly models?: ModelMap
}

export interface ConvertedText {
  /** What would be written: none where it is refused. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly conversion: Omit<Conversion, 'status' | 'diagnostics'> | null
  /** Why nothing may be written. */
  readonly refusal: Diagnostic | null
}

/** Every agent in the text, converted for the target. */
export function convertText(input: TextInput, target: Target, options: ConvertTextOptions = {}): ConvertedText[] {
  const file = openText(input)
  const { candidate, read, path } = file
  const verdict = classifyAgentFile(input.registry, candidate, path, input.text)
  if (verdict === 'document') return [{ files: [], conversion: null, refusal: notAnAgentHere(candidate, path) }]
  const names = read.agents.map(({ agent }) => agent.name)
  const naming = nameAgents(target, [{ candidate, names }])
  return read.agents.map((agent) => {
    const name = naming.nameOf(candidate, agent.agent.name)
    return convertOneOf(file, agent, { target, name, isUnclear: verdict === 'unclear' }, options, input)
  })
}

function convertOneOf(
  { candidate, read, path }: LoadedFile,
  agent: ReadAgent,
  { target, name, isUnclear }: { readonly target: Target; readonly name: string; readonly isUnclear: boolean },
  options: ConvertTextOptions,
  { registry, text }: TextInput,
): ConvertedText {
  const { harness, carrier } = candidate
  const source = createSource({ registry, harness, carrier, path, text, document: read.document }, agent)
  const { keepAsking = false, models = {}, allowWidening = [], ignoreKeys = [] } = options
  const converted = convertDefinition(source, {
    target,
    name,
    renamed: new Map([[agent.agent.name, name]].filter(([before, after]) => before !== after) as [string, string][]),
    policy: policyOf({ ...options, widen: allowWidening }),
    models,
    keepAsking,
    findSkill: () => ({ tried: [] }),
    kept: null,
  })
  const { output, record } = converted
  const accepted = { all: allowWidening.includes('*'), capabilities: new Map(allowWidening.map((one) => [one, null])) }
  const isCopy = harness.id === target.harness.id
  const ignored = new Map(ignoreKeys.map((key) => [key, null]))
  const refusal =
    (isCopy ? null : whyNotConvertible(path, agent.agent.name, agent.agent, isUnclear, ignored)) ??
    wideningRefusal(target.harness, converted, accepted)
  if (refusal !== null) return { files: [], conversion: record, refusal }
  if (output.kind === 'file') {
    const files = [{ path: output.path, text: output.text }, ...(output.beside === undefined ? [] : [output.beside])]
    return { files, conversion: record, refusal }
  }
  const [first] = output.settings
  const files = [{ path: first?.file ?? '', text: settingsText(target.carrier, output.settings) }]
  return { files, conversion: record, refusal }
}
