/** Whether all commands find the same agents, in every repository of a folder. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listed, type Said, sayings } from '../../test/project/agreement.ts'

export function agreeOnCorpus(folder: string): void {
  const repositories = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
  let agreeing = 0
  let agents = 0
  for (const { name } of repositories) {
    // A copy: `build` needs a troupe.yaml, and the corpus must not change.
    const copy = mkdtempSync(join(tmpdir(), 'troupe-agree-'))
    try {
      cpSync(join(folder, name), copy, { recursive: true })
      execFileSync('git', ['init', '-q', copy])
      const { line, isAgreed, count } = compare(copy)
      console.log(`${isAgreed ? ' ' : '✗'} ${name.padEnd(48)} ${line}`)
      if (isAgreed) agreeing++
      agents += count
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  }
  console.log(`\n${agreeing} of ${repositories.length} repositories: all commands agree; ${agents} agents.`)
  process.exitCode = agreeing === repositories.length ? 0 : 1
}

const targets = ['codex', 'gemini-cli', 'qwen-code', 'copilot']

function compare(copy: string) {
  // A shadowed agent is listed, but not converted.
  const agents = listed(copy, '.')
  const hidden = agents.filter(({ shadowedBy }) => shadowedBy !== null).length
  // A copy of itself is up to date already, and a build does not mention it.
  const target = targets.find((id) => !agents.some(({ harness }) => harness === id)) ?? 'workplace'
  const all = [...sayings(copy, '.', target)]
  const [first] = all
  const isAgreed = all.every((one) => sorted(one) === sorted(first))
  const counts = all.map(({ command, names }) => `${command} ${names.length}`).join(', ')
  const differing = isAgreed ? '' : `\n${all.map((one) => `    ${one.command}: ${difference(one, first)}`).join('\n')}`
  const note = hidden === 0 ? '' : ` (${hidden} hidden)`
  return { line: `${counts}${note}${differing}`, isAgreed, count: first?.names.length ?? 0 }
}

function sorted(said: Said | undefined): string {
  return [...(said?.names ?? [])].sort().join('\n')
}

function difference({ names }: Said, first: Said | undefined): string {
  const own = new Set(names)
  const others = new Set(first?.names ?? [])
  const more = [...own].filter((name) => !others.has(name)).slice(0, 5)
  const fewer = [...others].filter((name) => !own.has(name)).slice(0, 5)
  return `more: ${more.join(', ') || '-'}; fewer: ${fewer.join(', ') || '-'}`
}
