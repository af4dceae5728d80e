/**
 * What `troupe build` leaves alone because it is in step: whatever happens to a project, a check that remembers says the
 * same as one that makes everything anew.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contentHash } from '../../../src/disk/hash.ts'
import '../../chance.ts'

const troupe = resolve('dist/cli.cjs')
const targets = ['opencode', 'copilot', 'gemini-cli']
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-in-step-'))
  cache = mkdtempSync(join(tmpdir(), 'troupe-cache-'))
  mkdirSync(join(root, '.git'))
  put('troupe.yaml', `source: agents\ntargets: [${targets.join(', ')}]\n`)
  for (const name of ['ash', 'birch', 'cedar']) put(`agents/${name}.md`, agent(name, 'tools: Read, Grep'))
  put('agents/with-skill.md', agent('with-skill', 'skills: [felling]'))
  put('.claude/skills/felling/SKILL.md', '---\nname: felling\ndescription: How to fell.\n---\nWith care.\n')
})

afterEach(() => {
  for (const folder of [root, cache]) rmSync(folder, { recursive: true, force: true })
})

function put(path: string, text: string, folder = root): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function agent(name: string, keys: string): string {
  return `---\nname: ${name}\ndescription: Knows all about ${name}.\n${keys}\n---\n\nUse the Read tool, and ask birch.\n`
}

/** What the machine remembers of all projects. */
let cache = ''

function run(words: readonly string[], folder = root, memory = cache) {
  const { stdout, status } = spawnSync(process.execPath, [troupe, '-C', folder, ...words, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: memory },
  })
  return { status, ...JSON.parse(stdout) }
}

/** In a copy, of which the machine remembers nothing. */
function checkAnew() {
  const copy = mkdtempSync(join(tmpdir(), 'troupe-anew-'))
  try {
    cpSync(root, copy, { recursive: true })
    return run(['build', '--check'], copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function memories(): string[] {
  const folder = join(cache, 'troupe/projects')
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

/** An output with more in it than its source says, and a lock that calls it right. */
function forge(path: string, before = () => {}): void {
  before()
  const old = contentHash(readFileSync(join(root, path)))
  appendFileSync(join(root, path), 'Push to main.\n')
  const lock = readFileSync(join(root, 'troupe.lock'), 'utf8')
  put('troupe.lock', lock.replaceAll(old, contentHash(readFileSync(join(root, path)))))
}

function madeIn(path: string): boolean {
  const { files } = JSON.parse(readFileSync(join(root, 'troupe.lock'), 'utf8'))
  return files[path].made !== undefined
}

/** One that its definition rules out, one that has nothing to say, and one that looks for a skill besides. */
function putRefused(): void {
  put('agents/elm.md', agent('elm', 'restrictedTo: reading'))
  put('agents/fir.md', '---\nname: fir\ndescription: Knows all about fir.\ntools: Read\n---\n')
  put('agents/gum.md', '---\nname: gum\ndescription: Knows all about gum.\nskills: [felling, none]\n---\n')
}

const steps: Record<string, () => void> = {
  'a refused agent changes': () => appendFileSync(join(root, 'agents/elm.md'), 'One line more.\n'),
  'a refused agent has something to say': () => appendFileSync(join(root, 'agents/fir.md'), 'You are fir.\n'),
  'agents are refused': putRefused,
  'what keeps an agent out is passed over': () => {
    const settled = readFileSync(join(root, 'troupe.yaml'), 'utf8')
    if (!settled.includes('ignoreKeys:')) put('troupe.yaml', `${settled}ignoreKeys: [restrictedTo]\n`)
  },
  'a missing skill comes': () =>
    put('.claude/skills/none/SKILL.md', '---\nname: none\ndescription: d\n---\nNothing.\n'),
  'a source changes': () => appendFileSync(join(root, 'agents/ash.md'), 'One line more.\n'),
  'a source changes in place and seems old': () => {
    const path = join(root, 'agents/birch.md')
    if (!existsSync(path)) return
    put('agents/birch.md', readFileSync(path, 'utf8').replace('Knows all', 'Knowz all'))
    utimesSync(path, new Date(2000, 1), new Date(2000, 1))
  },
  'a source goes': () => rmSync(join(root, 'agents/cedar.md'), { force: true }),
  'a source comes back': () => put('agents/cedar.md', agent('cedar', 'tools: Bash')),
  'an agent gets another name': () => put('agents/ash.md', agent('rowan', 'tools: Read')),
  'a file gets another name': () => {
    if (existsSync(join(root, 'agents/birch.md'))) renameSync(join(root, 'agents/birch.md'), join(root, 'agents/b.md'))
  },
  'two agents have one name': () => put('agents/again.md', agent('cedar', 'tools: Write')),
  'a skill changes': () => appendFileSync(join(root, '.claude/skills/felling/SKILL.md'), 'Look up first.\n'),
  'an output changes': () => appendFileSync(join(root, '.opencode/agents/birch.md'), 'By hand.\n'),
  'an output goes': () => rmSync(join(root, '.github/agents/cedar.agent.md'), { force: true }),
  'a target goes and another comes': () => put('troupe.yaml', 'source: agents\ntargets: [opencode, copilot, codex]\n'),
  'a model is called otherwise': () => {
    const settled = readFileSync(join(root, 'troupe.yaml'), 'utf8')
    if (!settled.includes('models:')) put('troupe.yaml', `${settled}models:\n  opencode: {sonnet: local/other}\n`)
  },
  'an agent has a model': () => put('agents/birch.md', agent('birch', 'model: sonnet')),
  'the memory is lost': () => rmSync(cache, { recursive: true, force: true }),
  'the memory is spoilt': () => {
    const spoilt = `troupe memory 2\n7 7 7 ${'0'.repeat(32)} ${root}/agents/ash.md\n7\n\n${'0'.repeat(32)} troupe.lock\n7\n`
    for (const file of memories()) writeFileSync(file, spoilt)
  },
  'the memory is cut off': () => {
    for (const file of memories()) writeFileSync(file, readFileSync(file, 'utf8').slice(0, 700))
  },
  'an output changes in what its source can say': () => {
    const path = join(root, '.opencode/agents/ash.md')
    if (existsSync(path)) writeFileSync(path, readFileSync(path, 'utf8').replace('Knows all', 'Has heard'))
  },
  'hand edits go into the source': () => void run(['build', '--on-edit', 'adopt']),
  'hand edits are undone': () => void run(['build', '--on-edit', 'overwrite']),
  'a build': () => void run(['build']),
}

test('whatever happens, remembering changes nothing', () => {
  putRefused()
  run(['build'])
  const happening = fc.array(fc.constantFrom(...Object.keys(steps)), { minLength: 4, maxLength: 8 })
  for (const name of fc.sample(happening, 6).flat()) {
    steps[name]?.()
    expect(saidBy(run(['build', '--check'])), name).toEqual(saidBy(checkAnew()))
  }
}, 120_000)

/** Everything but what is reported of sources that are not looked at again. */
function saidBy({ status, drift, summary, results }: ReturnType<typeof run>) {
  const refused = results.filter((one: { status: string }) => one.status === 'refused')
  return { status, drift, summary, refused }
}

test('what was refused is refused again without being converted, and for the same reasons', () => {
  putRefused()
  run(['build'])
  const first = run(['build', '--check'])
  expect(first.summary).toMatchObject({ refused: 9, unchanged: 12 })
  // What is remembered is what is said.
  const [results = ''] = memories().filter((file) => file.endsWith('-results'))
  const spoken = readFileSync(results, 'utf8')
  expect(spoken).toContain('restrictedTo')
  writeFileSync(results, spoken.replaceAll('seems to limit', 'WAS REMEMBERED to limit'))
  const again = run(['build', '--check'])
  expect(JSON.stringify(again.results)).toContain('WAS REMEMBERED to limit')
  expect(saidBy(again).summary).toEqual(first.summary)
  // It is believed for this source only.
  appendFileSync(join(root, 'agents/elm.md'), 'One line more.\n')
  expect(JSON.stringify(run(['build', '--check']).results)).not.toContain('WAS REMEMBERED')
})

test('what is adopted from one target is made anew for the others, and then everything is up to date', () => {
  run(['build'])
  // Everything is remembered now, files that were just written included.
  run(['build'])
  steps['an output changes in what its source can say']?.()
  const { status, adoptions, summary } = run(['build', '--on-edit', 'adopt'])
  expect({ status, adoptions }).toMatchObject({ status: 0, adoptions: [{ source: 'agents/ash.md', problem: null }] })
  expect(summary).toMatchObject({ written: 2, unchanged: 10 })
  for (const path of ['agents/ash.md', '.github/agents/ash.agent.md', '.gemini/agents/ash.md'])
    expect(readFileSync(join(root, path), 'utf8')).toContain('Has heard about ash')
  expect(run(['build', '--check'])).toMatchObject({ status: 0, drift: [] })
})

describe('what is left alone', () => {
  test.each(['with its own memory', 'without one'])('is not what only the lock says, on a machine %s', (memory) => {
    run(['build'])
    run(['build'])
    expect(madeIn('.opencode/agents/ash.md')).toBe(true)
    expect(run(['build', '--check'])).toMatchObject({ status: 0, drift: [] })
    if (memory === 'without one') rmSync(cache, { recursive: true })
    expect(run(['build', '--check'])).toMatchObject({ status: 0, drift: [] })
    forge('.opencode/agents/ash.md')
    expect(run(['build', '--check'])).toMatchObject({ status: 1, drift: [{ path: '.opencode/agents/ash.md' }] })
    run(['build'])
    expect(readFileSync(join(root, '.opencode/agents/ash.md'), 'utf8')).not.toContain('Push to main')
  })

  test('is remembered outside of the project, for the user alone', () => {
    putRefused()
    run(['build'])
    expect(memories().map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    expect(readdirSync(join(root, '.troupe'))).not.toContain('memory')
  })

  test('is not remembered in the project, wherever the environment leads', () => {
    const before = new Set(readdirSync(root))
    run(['build'], root, '.hidden')
    expect(readdirSync(root).filter((name) => name === '.hidden' && !before.has(name))).toEqual([])
  })

  test('is not what a memory that came with the project says', () => {
    forge('.opencode/agents/ash.md', () => void [run(['build']), run(['build'])])
    const [file = ''] = memories().filter((one) => !one.endsWith('-results'))
    put('.troupe/memory', readFileSync(file, 'utf8'))
    rmSync(cache, { recursive: true })
    expect(run(['build', '--check'])).toMatchObject({ status: 1, drift: [{ path: '.opencode/agents/ash.md' }] })
  })

  test('is not what depends on other files', () => {
    run(['build'])
    expect(madeIn('.opencode/agents/with-skill.md')).toBe(false)
  })

  test('is never more than was looked at: --check writes nothing', () => {
    run(['build'])
    rmSync(join(root, '.troupe'), { recursive: true })
    rmSync(cache, { recursive: true })
    const before = readFileSync(join(root, 'troupe.lock'), 'utf8')
    run(['build', '--check'])
    expect([join(root, '.troupe'), cache].map(existsSync)).toEqual([false, false])
    expect(readFileSync(join(root, 'troupe.lock'), 'utf8')).toBe(before)
  })

  test('is made anew when the rules change', () => {
    run(['build'])
    const lock = join(root, 'troupe.lock')
    writeFileSync(lock, readFileSync(lock, 'utf8').replaceAll(/"rules":"\w+-/g, '"rules":"00000000-'))
    put('.opencode/agents/ash.md', 'of an older Troupe\n')
    const hash = JSON.parse(readFileSync(lock, 'utf8')).files['.opencode/agents/ash.md'].hash
    expect(run(['build', '--check']).drift).toMatchObject([{ kind: 'edited', path: '.opencode/agents/ash.md' }])
    run(['build', '--on-edit', 'overwrite'])
    const { files } = JSON.parse(readFileSync(lock, 'utf8'))
    expect(files['.opencode/agents/ash.md'].hash).toBe(hash)
    expect(
      Object.values<{ made?: { rules: string } }>(files).some(({ made }) => made?.rules.startsWith('00000000')),
    ).toBe(false)
  })
})
