/** What a conversion wants of a configuration file that others use too. */
import type { Json } from '../model/agent.ts'

/** A value for a configuration file of the target. */
export interface Setting {
  readonly file: string
  readonly path: readonly string[]
  readonly value: Json
  /** It holds for more than this agent, so what a person set there stays. */
  readonly shared?: true
  /** It is an MCP server, which every agent of the project sees; or the rule that keeps others from it. */
  readonly server?: string
  readonly guards?: string
  /** References of these kinds in it are meant as text. */
  readonly literal?: readonly string[]
}
