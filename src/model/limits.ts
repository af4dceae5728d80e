/** How much Troupe takes in at most: so that no file costs seconds, whatever is in it. Whoever reaches one is told so. */

const KB = 1024
const MB = 1024 * KB

export const limits = {
  /** Bytes of a file with one agent: thirteen times the largest that was ever seen. */
  file: MB,
  /** Bytes of a file that may hold a whole collection, and of those that Troupe keeps for itself. */
  collection: 64 * MB,
  /** Bytes of the journal of a workplace, which grows until it is compacted. */
  journal: 1024 * MB,
  /** Characters of the keys of a definition, and of a file of settings. What is longer is not read: nothing is allowed. */
  keys: 128 * KB,
  /** Characters of a prompt that are looked at. The rest is carried over as it is. */
  prompt: 512 * KB,
  /** Rules about what an agent may do. Where there are more, nothing is allowed. */
  rules: 500,
  /** Characters of all patterns in those rules together. Where there are more, nothing is allowed. */
  patterns: 32 * KB,
  /** MCP servers that an agent brings along. Where there are more, nothing is allowed. */
  servers: 100,
  /** Characters of all files that the prompts of one file include. */
  included: MB,
  /** Different files that they name. */
  references: 500,
  /** Agents in one file. Those behind them are not read. */
  agents: 1000,
  /** Findings of one kind about one file that are told one by one. */
  findings: 500,
} as const

/** As people say it. */
export function inKilobytes(characters: number): string {
  return characters >= MB && characters % MB === 0 ? `${characters / MB} MB` : `${Math.floor(characters / KB)} kB`
}
