/** Hostile and unlucky surroundings: a clear sentence, the right exit code, nothing half done. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const NOBODY = 65534
const good = '---\nname: good\ndescription: Fine\n---\nYou are fine.\n'
const broken = '---\nname: broken\ndescription: Use it: now\n---\nYou are broken.\n'

let root: string
let project: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-bad-'))
  chmodSync(root, 0o755)
  project = join(root, 'project')
  put('.claude/agents/good.md', good)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: string | Uint8Array): string {
  const absolute = join(project, path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, content)
  return absolute
}

/** As somebody without special rights: root could read everything. */
function troupe(...words: string[]): SpawnSyncReturns<string> {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), NO_COLOR: '1' }
  return spawnSync(process.execPath, [programFor(), ...words], { cwd: project, env, encoding: 'utf8', ...user })
}

/** The clone itself may lie where others cannot look, so the program is copied to where they can. */
function programFor(): string {
  const copy = join(root, 'program')
  cpSync(resolve('dist'), join(copy, 'dist'), { recursive: true })
  cpSync(resolve('package.json'), join(copy, 'package.json'))
  return join(copy, 'dist/cli.cjs')
}

function listed(...words: string[]): { names: string[]; codes: string[]; status: number | null } {
  const { stdout, status } = troupe('list', '--json', ...words)
  const { agents, diagnostics } = JSON.parse(stdout)
  const all = [...diagnostics, ...agents.flatMap((agent: { diagnostics: unknown[] }) => agent.diagnostics)]
  return {
    names: agents.map(({ name }: { name: string }) => name),
    codes: all.map(({ code }: { code: string }) => code),
    status,
  }
}

describe('files', () => {
  test('an unreadable file is named, and the others are read', () => {
    chmodSync(put('.claude/agents/secret.md', good), 0o000)
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
    const { stdout, status } = troupe('check')
    expect(stdout).toContain('.claude/agents/secret.md')
    expect(stdout).toContain('permission denied')
    expect(status).toBe(1)
  })

  test('an unreadable folder is named, and the others are read', () => {
    put('.claude/agents/closed/inside.md', good)
    chmodSync(join(project, '.claude/agents/closed'), 0o000)
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
    chmodSync(join(project, '.claude/agents/closed'), 0o755)
  })

  test('a file of 50 MB is not read', () => {
    truncateSync(put('.claude/agents/huge.md', good), 50 * 1024 * 1024)
    expect(listed()).toEqual({ names: ['good'], codes: ['file-too-large'], status: 0 })
  })

  test('a file of junk gives an answer', () => {
    put(
      '.claude/agents/junk.md',
      Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256),
    )
    expect(listed()).toMatchObject({ names: ['good'], codes: ['not-an-agent'] })
  })

  test('an empty file gives an answer', () => {
    put('.claude/agents/empty.md', '')
    expect(listed()).toEqual({ names: ['good'], codes: ['not-an-agent'], status: 0 })
  })

  test('a link to nowhere is named', () => {
    symlinkSync('nowhere.md', join(project, '.claude/agents/dangling.md'))
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
  })
})

describe('what would be waited for', () => {
  test.each(['fifo.md', 'stdin.md', 'zero.md'])('%s is not a file', (name) => {
    const pipe = join(root, 'pipe')
    spawnSync('mkfifo', [pipe])
    const targets: Record<string, string> = { 'fifo.md': pipe, 'stdin.md': '/dev/stdin', 'zero.md': '/dev/zero' }
    symlinkSync(targets[name] as string, join(project, '.claude/agents', name))
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
    expect(troupe('list', pipe).status).toBe(0)
  })

  test.each(['a pipe', 'a device', 'a folder', 'a giant'])('files of Troupe itself: %s is not read', (what) => {
    for (const path of ['troupe.lock', 'troupe.yaml', 'answers.yaml', '.troupe/harnesses/x.yaml']) {
      const file = join(project, path)
      mkdirSync(dirname(file), { recursive: true })
      if (what === 'a pipe') spawnSync('mkfifo', [file])
      else if (what === 'a device') symlinkSync('/dev/zero', file)
      else if (what === 'a folder') mkdirSync(file)
      else truncateSync(put(path, ''), 2 ** 30)
    }
    const convert = ['convert', '--to', 'opencode', '--yes', '--dry-run', '--answers', 'answers.yaml']
    for (const words of [['list'], convert, ['build', '--check'], ['undo']]) {
      const { status, signal } = troupe(...words)
      expect([words[0], signal, (status ?? 9) < 3]).toEqual([words[0], null, true])
    }
  })

  test('files where folders should be are no agents', () => {
    put('.opencode', 'a file')
    put('.troupe/harnesses', 'a file')
    symlinkSync('opencode.json', join(project, 'opencode.json'))
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
  })
})

describe('what is beyond a limit', () => {
  const many = (count: number, rule: (index: number) => string) => Array.from({ length: count }, (_, i) => rule(i))

  test.each([
    ['rules', 'too-many-rules', `tools: ${many(501, (i) => `mcp__s${i}__t`).join(', ')}`],
    ['front matter', 'long-definition', `tools: Read\nx: ${'v'.repeat(130 * 1024)}`],
  ])('%s: nothing is allowed, nothing is written, and that is told', (_what, code, keys) => {
    put('.claude/agents/much.md', `---\nname: much\ndescription: Much\n${keys}\n---\nYou are much.\n`)
    const { agents } = JSON.parse(troupe('list', '--json').stdout)
    const much = agents.find(({ name }: { name: string }) => name === 'much')
    expect([...new Set(Object.values(much.access))]).toEqual(['deny'])
    const checked = troupe('check', '--json')
    expect([checked.status, checked.stderr]).toEqual([1, ''])
    expect(checked.stdout).toContain(`"code": "${code}"`)
    const converted = troupe('convert', '--to', 'opencode', '--yes', '--dry-run', '--json')
    expect(converted.status).toBe(1)
    const { results } = JSON.parse(converted.stdout)
    const told = results.map(({ name, status, diagnostics }: Told) => [
      name,
      status,
      diagnostics.map((one) => one.code),
    ])
    expect(told.sort()).toEqual([
      ['good', 'planned', []],
      ['much', 'failed', [code]],
    ])
  })
})

interface Told {
  readonly name: string
  readonly status: string
  readonly diagnostics: readonly { readonly code: string }[]
}

describe('what would draw on the terminal', () => {
  test('is not printed as it is', () => {
    put(
      '.claude/agents/odd.md',
      '---\nname: "o\\e[2Jdd"\ndescription: "\u202edesrever"\n"k\\e[2Jey": 1\nmodel: "m\\e]0;x\\a"\n---\nYou are odd.\n',
    )
    for (const words of [
      ['list'],
      ['check', '--notes'],
      [],
      ['show', '.claude/agents/odd.md'],
      ['check', '--format', 'github'],
      ['show', 'x\u001b[2J'],
    ]) {
      const { stdout, stderr } = troupe(...words)
      expect(stdout + stderr).not.toMatch(/[\u0007\u001b\u202e]/)
    }
  })
})

describe('links', () => {
  test('a loop of folders ends', () => {
    symlinkSync('..', join(project, '.claude/agents/loop'))
    const { names, codes } = listed()
    expect(names).toContain('good')
    expect(codes).toContain('symlink-loop')
  })

  test('a link that points to itself is named', () => {
    symlinkSync('self.md', join(project, '.claude/agents/self.md'))
    expect(listed()).toEqual({ names: ['good'], codes: ['unreadable-file'], status: 0 })
  })

  test('a linked agent is repaired at its target and stays a link', () => {
    const target = put('shared/broken.md', broken)
    const link = join(project, '.claude/agents/broken.md')
    symlinkSync('../../shared/broken.md', link)
    put('.git/HEAD', '')
    openToAll()
    expect(troupe('check', '--fix').status).toBe(0)
    expect(readFileSync(target, 'utf8')).toContain('description: "Use it: now"')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  test('a link out of the project is never written through', () => {
    const target = join(root, 'outside.md')
    writeFileSync(target, broken, { mode: 0o666 })
    symlinkSync(target, join(project, '.claude/agents/broken.md'))
    put('.git/HEAD', '')
    openToAll()
    const { stderr } = troupe('check', '--fix')
    expect(stderr).toContain('leads outside')
    expect(readFileSync(target, 'utf8')).toBe(broken)
  })
})

describe('folders that are links', () => {
  test('out of the project are never written through', () => {
    const outside = join(root, 'elsewhere')
    mkdirSync(outside)
    writeFileSync(join(outside, 'broken.md'), broken, { mode: 0o666 })
    rmSync(join(project, '.claude/agents'), { recursive: true })
    symlinkSync(outside, join(project, '.claude/agents'))
    put('.git/HEAD', '')
    spawnSync('chmod', ['-R', 'a+rwX', root])
    expect(troupe('check', '--fix').stderr).toContain('leads outside')
    expect(readFileSync(join(outside, 'broken.md'), 'utf8')).toBe(broken)
  })
})

describe('repairing', () => {
  test('what cannot be written is said, and stays whole', () => {
    const file = put('.claude/agents/broken.md', broken)
    openToAll()
    chmodSync(dirname(file), 0o555)
    const { stderr } = troupe('check', '--fix')
    chmodSync(dirname(file), 0o755)
    expect(stderr).toContain('not repaired .claude/agents/broken.md: permission denied')
    expect(readFileSync(file, 'utf8')).toBe(broken)
    expect(readdirSync(dirname(file))).toEqual(['broken.md', 'good.md'])
  })

  test('nothing but the wrong bytes changes', () => {
    const text =
      '\ufeff---\r\nname: broken # keep me\r\ndescription: Use it: now\r\nmodel:   opus\r\n---\r\nBody\twith\r\n---\r\nrules. \r'
    const file = put('.claude/agents/broken.md', text)
    openToAll()
    expect(troupe('check', '--fix').stderr).toContain('repaired')
    expect(readFileSync(file, 'utf8')).toBe(text.replace('Use it: now', '"Use it: now"'))
  })

  test('a file that is not UTF-8 keeps its bytes', () => {
    const bytes = Buffer.concat([Buffer.from(broken), Buffer.from([0xe9, 0x20, 0xff, 0x0a])])
    const file = put('.claude/agents/broken.md', bytes)
    openToAll()
    troupe('check', '--fix')
    const after = readFileSync(file)
    expect(after.subarray(-4)).toEqual(bytes.subarray(-4))
    expect(after.toString('latin1')).toContain('"Use it: now"')
  })
})

describe('harness files of the user', () => {
  const own = () =>
    readFileSync('harnesses/workplace/harness.yaml', 'utf8')
      .replaceAll('workplace', 'mine')
      .replaceAll('.mine/', '.mine/')

  test('a broken one is named and the others work', () => {
    put('.troupe/harnesses/mine.yaml', 'id: Mine!\ntitle: 3\n')
    const { codes, names } = listed()
    expect(codes).toEqual(['broken-harness-file'])
    expect(names).toEqual(['good'])
    const { stderr, status } = troupe('harnesses')
    expect(stderr).toContain('.troupe/harnesses/mine.yaml')
    expect(status).toBe(1)
  })

  test('one that came with the project counts only after it was trusted, and only as it was', () => {
    put('.git/HEAD', '')
    const file = put('.troupe/harnesses/mine.yaml', own())
    put('.mine/agents/x.md', '---\nname: x\nrole: y\n---\nz\n')
    mkdirSync(join(root, 'home'), { mode: 0o777 })
    chmodSync(join(root, 'home'), 0o777)
    expect(listed()).toMatchObject({ names: ['good'], codes: ['untrusted-harness-file'] })
    expect(troupe('harnesses', 'trust', '.troupe/harnesses/mine.yaml').status).toBe(0)
    expect(listed()).toMatchObject({ names: expect.arrayContaining(['good', 'x']), codes: [] })
    writeFileSync(file, `${own()}\n# changed\n`)
    expect(listed().codes).toEqual(['untrusted-harness-file'])
  })
})

describe('pipes', () => {
  test('a reader that goes away is not an error', () => {
    for (let i = 0; i < 300; i++) put(`.claude/agents/agent-${i}.md`, good.replace('good', `agent-${i}`))
    const command = `"${process.execPath}" "${resolve('dist/cli.cjs')}" list --json | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout } = spawnSync('bash', ['-c', command], { cwd: project, encoding: 'utf8' })
    expect(stdout).toBe('{\n0\n')
  })
})

/** The program runs as somebody else, who must be able to write. */
function openToAll(): void {
  spawnSync('chmod', ['-R', 'a+rwX', project])
}
