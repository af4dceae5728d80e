/** Verifies agents with the user's own harness, or says that it is not there. */
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import { projectFolders } from '../project/roots.ts'
import { findProgram } from '../proof/find-program.ts'
import { type VerifyOptions, verifyHarness } from '../proof/verify.ts'

/** `bin`: the program, where it need not be looked for. */
export async function runHarness(
  options: Omit<VerifyOptions, 'program' | 'root'>,
  bin: string | null,
): Promise<VerifiedHarness> {
  const { harness, here, agents } = options
  const program = bin ?? findProgram(harness.oracle?.program.name ?? '')
  if (program === null) return absent(harness, agents.length)
  return verifyHarness({ ...options, program, root: projectFolders(here)[0] ?? here })
}

function absent({ id, title, checked, oracle }: Harness, count: number): VerifiedHarness {
  const name = oracle?.program.name
  const problem =
    name === undefined
      ? `Troupe does not know how to run ${title}.`
      : `${title} is not installed: there is no \`${name}\` on the PATH. \`--bin\` says where it is.`
  const notes = count === 0 ? [] : [`${count === 1 ? 'Its agent was' : `Its ${count} agents were`} not verified.`]
  return {
    id,
    title,
    version: null,
    checkedWith: checked.version,
    installed: false,
    problems: [problem],
    notes,
    agents: [],
  }
}
