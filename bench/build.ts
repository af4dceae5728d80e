/** What it costs to keep ten thousand outputs up to date: with no change, on a fresh clone, and after one change. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measure, type Row } from './measure.ts'

/** `project`: has Claude Code agents in their usual place. */
export function measureBuild(troupe: string, project: string): Row[] {
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(project, 'troupe.yaml'), 'source: .claude/agents\ntargets: [opencode]\n')
  // The cache is outside the project.
  const memory = `${project}-cache`
  process.env.XDG_CACHE_HOME = memory
  const build = measure([troupe, 'build'], 1, project)
  const check = measure([troupe, 'build', '--check'], 5, project)
  const changed = measure(
    (run) => {
      appendFileSync(join(project, `.claude/agents/agent-${run}.md`), 'One line more.\n')
      return [troupe, 'build']
    },
    5,
    project,
  )
  rmSync(memory, { recursive: true })
  const clone = measure([troupe, 'build', '--check'], 3, project)
  return [
    { name: 'troupe build, 10,000', measured: build },
    { name: 'build --check, 10,000', measured: check, must: 600 },
    { name: 'the same on a fresh clone', measured: clone },
    { name: 'build, one of 10,000 changed', measured: changed, must: 700 },
  ]
}
