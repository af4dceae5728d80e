/** One definition repaired by `check --fix` and judged by the evaluator. */
import { repairFile } from '../../src/workbench/fix.ts'
import { readAs, registry } from '../reading.ts'
import { type Answer, type Call, greater, groups, soft } from './call.ts'
import { callsFor } from './probes.ts'
import { type Dialect, read } from './read.ts'
import { isWider } from './wider.ts'

export interface RepairedWider {
  readonly call: Call
  readonly said: Answer
  readonly before: Answer
  readonly after: Answer
}

export interface JudgedRepair {
  readonly text: string
  /** What the program gives now, and nobody was told of. */
  readonly wider: readonly RepairedWider[]
}

/** Null: there is nothing to repair, or nothing that can be repaired safely. */
export function judgeRepair(dialect: Dialect, text: string): JudgedRepair | null {
  const repair = repairText(dialect, text)
  if (repair === null) return null
  const [old, now] = [read(dialect, text), read(dialect, repair.text)]
  const wider: RepairedWider[] = []
  for (const role of now.loads ? now.roles : []) {
    for (const call of callsFor([old, now], [text, repair.text])) {
      // `src/**` speaks of what is in the folder; a slash at the end of a path is nothing to the programs.
      if (call.argument.endsWith('/')) continue
      if (soft.includes(call.tool) && !old.denies(call)) continue
      const said = most(call, (one) => old.said(one, role))
      const before = old.loads ? most(call, (one) => old.given(one, role, true)) : 'deny'
      const after = most(call, (one) => now.given(one, role))
      if (!isWider(before, after) || [...repair.revived, ...repair.exceeding].some((one) => isAbout(one, call)))
        continue
      if (isWider(said, after) || old.loads) wider.push({ call, said, before, after })
    }
  }
  return { text: repair.text, wider }
}

/** The capabilities that people are told of. */
function isAbout(capability: string, { tool }: Call): boolean {
  if (tool.startsWith('mcp:')) return capability === 'mcp:*' || tool.startsWith(`${capability}/`)
  // A shell writes, too.
  const group = tool === 'shell' ? ['write', 'edit'] : groups.find((one) => one.includes(tool))
  return capability === tool || group?.includes(capability) === true
}

function most({ tool, argument }: Call, answer: (call: Call) => Answer): Answer {
  const group = groups.find((one) => one.includes(tool)) ?? [tool]
  return group.map((one) => answer({ tool: one, argument })).reduce(greater)
}

function repairText(dialect: Dialect, text: string) {
  const harness = registry.byId(dialect)
  const carrier = harness?.carriers[0]
  if (harness === undefined || carrier === undefined) throw new Error(`no harness ${dialect}`)
  const path = dialect === 'codex' ? 'agent-a.toml' : 'agent-a.md'
  return repairFile(registry, {
    candidate: { path: `/nowhere/${path}`, harness, carrier, relativePath: path, scope: 'project' },
    path,
    source: { text, encoding: 'utf-8', findings: [] },
    read: readAs(dialect, { text, path }),
    surroundings: { readBeside: () => null, environment: () => undefined },
    diagnostics: [],
  })
}
