/** What carrying access over depends on. */
import type { AgentType, Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import type { Capability } from '../model/tools.ts'
import type { Source } from './parse.ts'

export interface AccessInput {
  readonly source: Source
  readonly target: Harness
  /** Concepts that will be written, by their neutral value: some bring tools along. */
  readonly fields: ReadonlyMap<string, Json>
  readonly mode: string | undefined
  /** The only role that it will have there. */
  readonly role?: Role | undefined
  readonly keepAsking: boolean
  /** The fixed type that it runs as, where the target has such. */
  readonly type?: AgentType | null
  /** Servers it brings along, from which a rule of the project keeps all agents that do not name them. */
  readonly servers?: readonly string[]
  /** Capabilities that are kept whole where the target cannot limit them. */
  readonly whole?: readonly Capability[]
}
