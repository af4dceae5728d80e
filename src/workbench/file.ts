/** Files with agents as every command handles them: candidates, files that were read, and files that are not agents. */

import type { DecodedText } from '../formats/decode.ts'
import { locateFindings } from '../formats/lines.ts'
import { type ReadResult, readAgents } from '../harness/read/agents.ts'
import type { Surroundings } from '../harness/read/prompt.ts'
import { notAnAgent, type Recognised } from '../harness/recognise/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness, HarnessScope } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/findings.ts'

/** A file that was read completely, with the agents in it. */
export interface LoadedFile {
  readonly candidate: Candidate
  readonly path: string
  readonly source: DecodedText
  readonly read: ReadResult
  /** What it may refer to. */
  readonly surroundings: Surroundings
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the file as if it had this content. */
export function readFileText(
  registry: Registry,
  candidate: Candidate,
  path: string,
  source: DecodedText,
  surroundings: Surroundings,
): LoadedFile {
  const { harness, carrier, relativePath } = candidate
  const { text, findings } = source
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locateFindings([...findings, ...read.findings], path, text)
  return { candidate, path, source, read, surroundings, diagnostics }
}

/** A file that a harness reads agents from. */
export interface Candidate {
  readonly path: string
  readonly harness: Harness
  readonly carrier: Carrier
  /** Path below the folder for its kind of file. */
  readonly relativePath: string
  readonly scope: HarnessScope
  /** The plugin that contains it. */
  readonly plugin?: { readonly name: string; readonly root: string }
}

/** A file that was examined and is not an agent. */
export interface OtherFile {
  readonly path: string
  readonly recognised: Exclude<Recognised, { kind: 'agent' }>
}

/** The message about a file that the user named, or that is among agents. */
export function otherFileText(shown: string, { recognised }: OtherFile): string {
  return notAnAgent(shown, recognised)
}
