/** Agents as different as can be, written for each harness, and what the real program then sends to a model. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { targetsOf } from '../../scripts/corpus/conversions.ts'
import { isAsPredicted, isUsable, type VerifiedHarness } from '../../src/model/verification.ts'
import { takeInventory } from '../../src/project/inventory.ts'
import { verifyHarness } from '../../src/verify/verify.ts'
import { agentsReadBy } from '../../src/workbench/inventory.ts'
import { registry } from '../reading.ts'
import { violations } from '../schema/json-schema.ts'
import { castFor, type Player } from './cast.ts'
import { labHarnesses, runnable } from './lab.ts'
import { writeRecord } from './record.ts'

/** `LIVE=80 npm run lab` looks at more of them. */
const size = Number(process.env.LIVE ?? 10)
const targets = targetsOf(registry).filter(({ harness }) => labHarnesses().includes(harness.id))

describe('prompt, tools and model reach the model as predicted', () => {
  test.each(targets.map((target) => [target.harness.id, target] as const))(
    '%s',
    async (id, target) => {
      const players = castFor(target, size)
      const result = await verify(id, players)
      const checks = result.agents.flatMap((agent) => agent.checks)
      writeRecord(id, { live: { equal: checks.filter(({ ok }) => ok).length, all: checks.length } })
      expect(result.problems).toEqual([])
      const document = { schema: 1, harnesses: [result], diagnostics: [] }
      expect(violations('schema/results/verify.json', document)).toEqual([])
      const wrong = result.agents.filter((agent) => !isAsPredicted(agent))
      expect(
        wrong.map(({ name, problems, checks }) => ({ name, problems, checks: checks.filter(({ ok }) => !ok) })),
      ).toEqual([])
      expect(result.agents).toHaveLength(players.length)
      for (const agent of result.agents.filter(isUsable)) {
        const seen = agent.checks.filter(({ as }) => as !== null).map(({ what }) => what)
        expect(seen).toEqual(expect.arrayContaining(['prompt', 'tools', 'model']))
      }
    },
    600_000,
  )
})

async function verify(id: string, players: readonly Player[]): Promise<VerifiedHarness> {
  const { harness, program, limit } = runnable(id)
  const here = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-live-')))
  try {
    for (const { path, text } of players) {
      mkdirSync(dirname(join(here, path)), { recursive: true })
      writeFileSync(join(here, path), text)
    }
    const agents = agentsReadBy(registry, harness, takeInventory({ registry, here, harness }))
    const all = { isWanted: () => true, live: true, includePrompts: false, onStep: () => {} }
    return await verifyHarness({ registry, harness, program, root: here, here, agents, limit, ...all })
  } finally {
    rmSync(here, { recursive: true, force: true })
  }
}
