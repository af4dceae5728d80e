/** Predicts what a harness does with a file when it loads it, according to `check`. */

import type { Registry } from '../harness/registry.ts'
import type { Role } from '../model/access/rules.ts'
import { ignorePattern } from '../model/path-glob.ts'
import { checkFile } from './check.ts'
import type { LoadedFile } from './file.ts'

export interface LoadingPrediction {
  readonly loaded: boolean
  /** The harness does not start at all. */
  readonly refused: boolean
  /** The whole file becomes the prompt. */
  readonly raw: boolean
  /** It is loaded, but using it fails. */
  readonly fails: Readonly<Record<Role, boolean>>
  /** While it is there, using any agent fails. */
  readonly failsForAll: boolean
}

/** `models`: also predict whether its model exists, which cannot be known without asking a real model. */
export function predictLoading(registry: Registry, file: LoadedFile, { models = true } = {}): LoadingPrediction {
  const findings = checkFile(registry, file, []).filter(({ code }) => models || code !== 'unknown-model')
  const said = new Set(findings.map(({ consequence }) => consequence))
  const refused = said.has('refuses-to-start')
  // A list without any known tool can differ in meaning for a main session and a child, and check is about children.
  const others = findings.filter(({ code }) => code !== 'no-tools').map(({ consequence }) => consequence)
  const { noKnownTool } = file.candidate.harness.access
  const failsAs = (role: Role) =>
    others.includes('fails-when-used') ||
    said.has('fails-for-all') ||
    (findings.some(({ code, severity }) => code === 'no-tools' && severity === 'error') &&
      noKnownTool[role] === 'fails-when-used')
  return {
    loaded:
      !refused &&
      !isPassedOver(file) &&
      !isDisabled(file) &&
      !said.has('not-loaded') &&
      !said.has('not-loaded-silently'),
    refused,
    raw: said.has('loads-raw'),
    fails: { main: failsAs('main'), child: failsAs('child') },
    failsForAll: said.has('fails-for-all'),
  }
}

/** An agent that its own definition switches off is not loaded. */
function isDisabled({ read: { agents } }: LoadedFile): boolean {
  return agents.length > 0 && agents.every(({ agent }) => agent.fields.disabled?.value === true)
}

/** Some file names are ignored in an agents folder. */
function isPassedOver({ candidate: { carrier, relativePath } }: LoadedFile): boolean {
  return (carrier.project?.ignore ?? []).some((name) => ignorePattern(name).test(relativePath))
}
