/**
 * `kill -9` at random moments of `troupe build`, two hundred times (`SHORT=1`: sixty), while sources change, go and come: every
 * output is one that was wanted at some time, whole; the lock, with the journal of the run that died, never claims what is not there.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installProgram, start, troupe } from './conversion.ts'
import { leftovers, liesOfLock, newRoot, put, removeRoots } from './stage.ts'

const AGENTS = 80
const KILLS = process.env.SHORT === undefined ? 200 : 60
/** At a time: there are more cores than one. */
const ROOTS = 2
const outputs = { opencode: ['.opencode/agents', '.md'], 'gemini-cli': ['.gemini/agents', '.md'] } as const

let installed: ReturnType<typeof installProgram>

beforeAll(() => {
  installed = installProgram()
})
afterAll(() => {
  installed.remove()
  removeRoots()
})

const sourcePath = (i: number) => `agents/agent-${i}.md`

function sourceText(i: number, word: string): string {
  const plain = 'Do it well, and say so in one sentence at the end of it all.\n'.repeat(60)
  return `---\nname: agent-${i}\ndescription: Agent ${i}, ${word}\ntools: Read, Grep\n---\nUse Read, ${word}.\n${plain}`
}

function build(root: string, ...words: string[]) {
  return troupe(installed.cli, root, 'build', ...words)
}

/** Every output there is, with the word that its source had. */
function wordsOfOutputs(root: string, first: ReadonlyMap<string, string>): string[] {
  const words: string[] = []
  for (const [folder, extension] of Object.values(outputs)) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder))) {
      const path = `${folder}/${name}`
      expect(name.endsWith(extension), path).toBe(true)
      const text = readFileSync(join(root, path), 'utf8')
      const word = /word\d+/.exec(text)?.[0] ?? 'nothing'
      expect(text, path).toBe(first.get(path)?.replaceAll('word0', word))
      words.push(word)
    }
  }
  return words
}

async function killAgainAndAgain(kills: number): Promise<number> {
  const root = newRoot()
  put(root, '.git/HEAD', 'ref: refs/heads/main\n')
  put(root, 'troupe.yaml', `source: agents\ntargets: [${Object.keys(outputs).join(', ')}]\n`)
  for (let i = 0; i < AGENTS; i++) put(root, sourcePath(i), sourceText(i, 'word0'))
  const began = Date.now()
  expect(build(root).status).toBe(0)
  // How long a build takes, kept current: kills that come too late kill nothing.
  let duration = Date.now() - began
  const first = new Map(
    Object.values(outputs).flatMap(([folder]) =>
      readdirSync(join(root, folder)).map((name) => [
        `${folder}/${name}`,
        readFileSync(join(root, folder, name), 'utf8'),
      ]),
    ),
  )
  let killed = 0
  for (let round = 1; killed < kills; round++) {
    const word = `word${round}`
    for (let i = 0; i < AGENTS; i++) {
      const dice = Math.random()
      if (dice < 0.5) put(root, sourcePath(i), sourceText(i, word))
      else if (dice < 0.6) rmSync(join(root, sourcePath(i)), { force: true })
    }
    const started = Date.now()
    const { child, ended } = start(installed.cli, root, ['build'])
    const timer = setTimeout(() => child.kill('SIGKILL'), duration * (0.1 + Math.random()))
    const { signal } = await ended
    clearTimeout(timer)
    if (signal === 'SIGKILL') killed++
    else duration = Date.now() - started
    wordsOfOutputs(root, first)
    // Nothing that it left behind is taken for somebody's own work.
    const { drift } = JSON.parse(build(root, '--check', '--json').stdout)
    const kinds = new Set(drift.map(({ kind }: { kind: string }) => kind))
    expect(
      [...kinds].filter((kind) => kind === 'edited' || kind === 'foreign'),
      `round ${round}`,
    ).toEqual([])
    if (round % 10 === 0) {
      expect(build(root).status).toBe(0)
      expect(build(root, '--check').stdout).toContain('everything is up to date')
      expect(liesOfLock(root)).toEqual([])
      expect(leftovers(root)).toEqual([])
    }
  }
  return killed
}

test(`${KILLS} times`, async () => {
  const killed = await Promise.all(Array.from({ length: ROOTS }, () => killAgainAndAgain(KILLS / ROOTS)))
  expect(killed.reduce((sum, one) => sum + one)).toBe(KILLS)
}, 600_000)
