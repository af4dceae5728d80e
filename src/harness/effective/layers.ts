/** What is merged: the layers as they were read, and the machine that they are for. */
import type { Registry } from '../registry.ts'
import type { Effective, Harness } from '../schema/harness.ts'
import type { Folders } from './rules.ts'
import type { TrackedMap } from './tracked.ts'

/** What one source says: settings, definitions, or both. */
export interface SourceLayer {
  readonly title: string
  readonly settings: TrackedMap | null
  /** Of two with one name the later one counts, whole. */
  readonly definitions: readonly Definition[]
  readonly legacyDefinitions: readonly Definition[]
}

export interface Definition {
  readonly name: string
  readonly definition: TrackedMap
}

export interface Combination {
  readonly registry: Registry
  readonly harness: Harness
  readonly effective: Effective
  /** From the one that yields to the one that wins. */
  readonly layers: readonly SourceLayer[]
  readonly folders: Folders
}
