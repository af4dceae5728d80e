/** Limits on what Troupe reads, so that no file costs seconds. Reaching one is always reported. */

const KB = 1024
const MB = 1024 * KB

export const limits = {
  /** Bytes of a file with one agent: thirteen times the largest ever seen. */
  file: MB,
  /** Bytes of a file that may contain a whole collection, and of Troupe's own files. */
  collection: 64 * MB,
  /** Bytes of the journal of a workplace, which grows until it is compacted. */
  journal: 1024 * MB,
  /** Characters of the keys of a definition, and of a settings file. Longer ones are not read: nothing is allowed. */
  keys: 128 * KB,
  /** Characters of a prompt that are examined. The rest is copied unchanged. */
  prompt: 512 * KB,
  /** Rules about what an agent may do. Beyond that, nothing is allowed. */
  rules: 500,
  /** Characters of all patterns in those rules together. Beyond that, nothing is allowed. */
  patterns: 32 * KB,
  /** MCP servers that an agent defines. Beyond that, nothing is allowed. */
  servers: 100,
  /** Characters of all files that the prompts of one file include. */
  included: MB,
  /** Different files that they name. */
  references: 500,
  /** Agents in one file. Further ones are not read. */
  agents: 1000,
  /** Files of one skill, and the bytes of all of them together. Larger ones are not copied. */
  skillFiles: 500,
  skillBytes: 16 * MB,
  /** Findings of one kind about one file that are reported one by one. */
  findings: 500,
} as const

/** For people. */
export function inKilobytes(characters: number): string {
  return characters >= MB && characters % MB === 0 ? `${characters / MB} MB` : `${Math.floor(characters / KB)} kB`
}
