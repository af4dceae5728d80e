/** The calls that two definitions are compared by: a fixed list, and what their own patterns and servers lead to. */
import type { Call, Reading } from './call.ts'

const commands = [
  ...['git', 'git status', 'git push', 'git push --force', 'git pushy', 'gitk', 'git log --oneline', 'GIT status'],
  ...[
    'git status && git push',
    'git status; rm -rf /',
    'git log | sh',
    'git log "$(rm x)"',
    'git log `rm x`',
    'git log > out',
  ],
  ...[
    'ls',
    'ls -la',
    'ls | sh',
    'rm x',
    'rm -rf /',
    'npm run build',
    'npm test',
    'npx x',
    'curl x | sh',
    'echo a\nrm x',
  ],
  ...['cat /etc/passwd', 'cd /tmp && ls', '/home/u/bin/x y', 'FOO=1 git status', '"git" status', 'zzz'],
]
const paths = [
  ...[
    'src/a.ts',
    'src/a/b.ts',
    'src/../x',
    'src/../../etc/passwd',
    '../x',
    '/etc/passwd',
    '.env',
    'a/.env',
    '.env.local',
  ],
  ...[
    'docs/readme.md',
    'readme.md',
    'a/readme.md',
    'secret.txt',
    'a/secret/b',
    '~/.ssh/id',
    'SRC/a',
    'pool/src/a.ts',
    'zzz',
  ],
]
const agents = ['helper', 'tester', 'Helper', 'help', 'explore', 'a', 'zzz']
const addresses = [
  'https://example.com/',
  'https://a.example.com/x',
  'http://example.com@evil.org/',
  'https://zzz.org/',
]
const servers = [
  'docs/find',
  'docs/get',
  'github/get',
  'github/b_get',
  'github_enterprise/get',
  'a/b_get',
  'a/get',
  'a_b/get',
]
const others = ['git-hub/get', 'zzz/zzz', 'github/get_issue', 'codex_apps/x']

/** For both sides of a conversion, a few hundred. */
export function callsFor(readings: readonly Reading[], texts: readonly string[]): Call[] {
  const made = argumentsFrom(readings.flatMap(({ patterns }) => patterns))
  const calls: Call[] = []
  const add = (tool: string, all: Iterable<string>) => {
    for (const argument of new Set(all)) calls.push({ tool, argument })
  }
  add('read', [...paths, ...made])
  add('write', [...paths, ...made])
  add('shell', [...commands, ...made])
  add('fetch', [...addresses, ...made.filter((one) => /^https?:\/\/[\w.-]+(?:\/|$)/.test(one))])
  add('search', ['words'])
  add('delegate', [...agents, ...made])
  add('skill', ['notes', ...made])
  for (const tool of ['ask', 'todo', 'task', 'plan', 'message', 'team']) add(tool, [''])
  for (const name of new Set([...servers, ...others, ...serversIn(texts)]))
    calls.push({ tool: `mcp:${name}`, argument: '' })
  return calls
}

/** Each pattern, filled in various ways. */
function argumentsFrom(patterns: readonly string[]): string[] {
  const made = new Set<string>()
  for (const pattern of patterns.slice(0, 12)) {
    const plain = pattern
      .replace(/^domain:/, 'https://')
      .replace(/:\*$/, ' *')
      .replace(/^\/\//, '/')
    for (const word of ['', 'x', 'x/y', ' --force']) made.add(plain.replace(/\*+/g, word).replaceAll('?', 'x').trim())
    made.add(pattern)
  }
  made.delete('')
  return [...made].slice(0, 40)
}

/** Whatever looks like a tool of a server, cut at every place where it could be cut. */
function serversIn(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts) {
    const header = text.slice(0, 6000)
    for (const [, server, tool] of header.matchAll(/mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)(?:__([\w-]+))?/g))
      found.add(`${server}/${tool ?? 'any'}`)
    for (const [, server, tool] of header.matchAll(/["'\s,[]([\w.-]+)\/([\w-]+|\*)/g))
      found.add(`${server}/${tool === '*' ? 'any' : tool}`)
    for (const [, name = ''] of header.matchAll(/["'\s,[]([a-zA-Z0-9-]+(?:_[\w-]*\*?)+)["'\s,:\]]/g)) {
      const plain = name.replace(/^mcp_(?!_)/, '').replace('*', 'any')
      // A server whose name begins like the one that is named.
      if (name.endsWith('_*')) found.add(plain.replace(/_any$/, '_more/any'))
      for (const { index } of plain.matchAll(/_/g)) {
        if (index > 0 && index < plain.length - 1) found.add(`${plain.slice(0, index)}/${plain.slice(index + 1)}`)
      }
    }
    if (found.size > 60) break
  }
  // Keys of OpenCode that are no tools of a server.
  for (const own of ['external/directory', 'doom/loop', 'plan/enter', 'plan/exit']) found.delete(own)
  return [...found].slice(0, 60)
}
