/** A whole collection of agents: imported into one file and built again, built for all, and compared line by line. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitFrontMatter } from '../../src/formats/front-matter.ts'
import { parsePrs } from '../../src/formats/promptscript/parse.ts'

/** What the design of bulk import asks to be tried: few keys, an empty body, quotes, white space, a name like a keyword. */
const own: Readonly<Record<string, string>> = {
  'planner.md': '---\nname: planner\ndescription: Plans\ntools: [Read, Grep]\nmodel: opus\n---\n\nYou plan.\n',
  'bare.md': '---\nname: bare\n---\nYou have a name and nothing else.\n',
  'terse.md': '---\nname: terse\ndescription: Says little\n---\nGo.\n',
  'quoting.md': '---\nname: quoting\ndescription: "a: b"\n---\n\n"""quotes""" and \\n\n\n',
  'edges.md': '---\nname: edges\ndescription: Edges\n---\n\n\n  begins late, ends late  \n\n\n',
  'inherit.md': '---\nname: inherit\ndescription: Like a keyword\nmodel: inherit\n---\n{{ name }} }} {{\n',
  '9-lives.md': '---\nname: 9-lives\ndescription: Begins with a digit\n---\r\nCarriage\r\nreturns\r\n',
}

/** Files beside them that are no agents, or broken ones. */
const others: Readonly<Record<string, string>> = {
  'README.md': '# About\n',
  'notes.md': 'No front matter at all.\n',
  'list.txt': 'name: list\n',
}

const corpus = '../shared/corpus/files/affaan-m+everything-claude-code/agents'
const SIZE = 28

function fromCorpus(): Readonly<Record<string, string>> {
  const names = readdirSync(corpus).sort().slice(0, SIZE)
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(corpus, name), 'utf8')]))
}

const collections = [
  { title: 'agents with little in them', files: own },
  ...(existsSync(corpus) ? [{ title: `${SIZE} agents of a public collection`, files: fromCorpus() }] : []),
]

const runnable = ['claude-code', 'opencode', 'gemini-cli', 'copilot', 'qwen-code']

describe.each(collections)('$title', ({ files }) => {
  const size = Object.keys(files).length
  let root = ''
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('dist/cli.cjs'), '-C', root, ...words], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    return { status, stdout, stderr }
  }
  const json = (...words: string[]) => JSON.parse(run(...words, '--json').stdout)
  const put = (path: string, text: string) => writeFileSync(join(root, path), text)
  const body = (text: string) => text.slice(splitFrontMatter(text).body.start)

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'troupe-collection-'))
    mkdirSync(join(root, 'agents'))
    for (const [name, text] of Object.entries({ ...files, ...others })) put(`agents/${name}`, text)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('becomes one PromptScript file, in which every agent stands', () => {
    const imported = run('import', 'agents', '-o', 'agents.prs')
    expect(imported.stdout + imported.stderr).toContain('agents/notes.md')
    expect(imported.status).toBe(0)
    const { root: tree, findings } = parsePrs(readFileSync(join(root, 'agents.prs'), 'utf8'))
    expect(findings).toEqual([])
    const blocks = tree?.kind === 'map' ? tree.entries : []
    expect(blocks.map(({ key }) => key)).toEqual(['meta', 'agents'])
    const declared = blocks[1]?.value
    expect(declared?.kind === 'map' ? declared.entries.length : 0).toBe(size)
  })

  test('is built again from there with the very same bodies', () => {
    cpSync(join(root, 'agents'), join(root, 'before'), { recursive: true })
    rmSync(join(root, 'agents'), { recursive: true })
    put('troupe.yaml', 'source: agents.prs\ntargets: [agents]\n')
    expect(json('build').summary).toMatchObject({ agents: size, written: size, failed: 0, refused: 0 })
    for (const [name, text] of Object.entries(files)) {
      expect(body(readFileSync(join(root, 'agents', name), 'utf8'))).toBe(body(text))
    }
    expect(run('build', '--check').status).toBe(0)
  })

  test('is kept in step with every harness', () => {
    rmSync(join(root, 'agents'), { recursive: true })
    rmSync(join(root, 'agents.prs'))
    rmSync(join(root, 'troupe.lock'))
    cpSync(join(root, 'before'), join(root, 'agents'), { recursive: true })
    put('troupe.yaml', `source: agents\ntargets: [${runnable.join(', ')}]\n`)
    const { summary } = json('build')
    expect(summary).toMatchObject({ agents: size * runnable.length, failed: 0 })
    expect(summary.written + summary.refused).toBe(summary.agents)
    const { drift, summary: again } = json('build', '--check')
    expect(drift).toEqual([])
    expect(again.unchanged).toBe(summary.written)
  })

  test.each(['.claude/agents', '.opencode/agents'])('is compared with %s line by line', (target) => {
    const { agents, overall } = json('diff', '--source', 'agents', '--target', target)
    expect(agents).toHaveLength(size)
    for (const { match, changedLines, whitespaceLines, totalLines, kind } of agents) {
      if (kind === 'missing') expect(match).toBe(0)
      else
        expect(match).toBeCloseTo(totalLines === 0 ? 100 : (1 - (changedLines + whitespaceLines) / totalLines) * 100, 0)
    }
    const mean = agents.reduce((sum: number, { match }: { match: number }) => sum + match, 0) / size
    expect(overall).toBeCloseTo(mean, 0)
    const report = run('diff', '--source', 'agents', '--target', target).stdout
    expect(report).toContain('Agent Fidelity Report')
    expect(report).toContain(`(${size} agents)`)
  })

  test('an agent that goes takes its outputs along, and nothing else', () => {
    const [first = ''] = Object.keys(files)
    const name = first.replace('.md', '')
    rmSync(join(root, 'agents', first))
    const { drift } = json('build')
    const gone = drift
      .filter(({ kind }: { kind: string }) => kind === 'stale')
      .map(({ path }: { path: string }) => path)
    expect(gone.length).toBeGreaterThanOrEqual(runnable.length)
    expect(gone.every((path: string) => path.includes(`/${name}`) && !existsSync(join(root, path)))).toBe(true)
    expect(run('build', '--check').status).toBe(json('build').summary.refused > 0 ? 1 : 0)
  })
})
