/** The documents for contributors name files and folders of this repository, and those are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const { order, pure }: Readonly<Record<'order' | 'pure', readonly string[]>> = await import(
  resolve('.dependency-cruiser.mjs')
)

const beside = ['node_modules', 'dist', '.git']

/** Every path from the root; folders end in a slash. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }).flatMap((entry) => {
    if (beside.includes(entry.name)) return []
    const path = folder + entry.name
    return entry.isDirectory() ? [`${path}/`, ...pathsBelow(`${path}/`)] : [path]
  })
}

/** Words in backticks that end like a file of ours or like a folder, and begin in neither a home nor a project. */
function namedPaths(markdown: string): string[] {
  const words = [...markdown.matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word)
  return [...new Set(words.filter((word) => /^[\w<*].*(\/|\.(ts|mjs|cjs|json|yaml|md))$/.test(word)))]
}

/** As people shorten it: the rooms without `src/`, files of a room by their name; `*` and `<id>` stand for any name. */
function isPath(all: readonly string[], path: string): boolean {
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*|<\w+>/g, '[^/]+')
  const end = new RegExp(`(^|/)${pattern}$`)
  return all.some((one) => end.test(one))
}

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (document) => {
  const all = pathsBelow('')
  const named = namedPaths(readFileSync(document, 'utf8'))

  test('names paths', () => {
    expect(named.length).toBeGreaterThan(5)
  })

  test.each(named)('%s is there', (path) => {
    expect(isPath(all, path)).toBe(true)
  })
})

test('a path that is not there is seen', () => {
  const all = ['src/', 'src/harness/', 'src/harness/schema/', 'src/harness/schema/access.ts']
  const seen = ['src/harness/schema/', 'harness/schema/access.ts', 'access.ts', 'src/<room>/schema/', 'schema/*.ts']
  expect(seen.filter((path) => !isPath(all, path))).toEqual([])
  expect(['src/harness/schema.ts', 'ccess.ts', 'src/schema/'].filter((path) => isPath(all, path))).toEqual([])
})

describe('ARCHITECTURE.md and the code', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8')
  const rows = [...text.matchAll(/^\| `src\/([\w-]+)\/` \|.*\| (\w+) \|$/gm)].map(([, room = '', disk = '']) => ({
    room,
    disk,
  }))

  test('the table has every room, and no other', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const rooms = folders.map(({ name }) => name).filter((name) => name !== 'generated')
    expect(rows.map(({ room }) => room).sort()).toEqual(rooms.sort())
  })

  test('rooms that touch no disk are those that may not', () => {
    expect(
      rows
        .filter(({ disk }) => disk === 'no')
        .map(({ room }) => room)
        .sort(),
    ).toEqual(pure.filter((room) => !room.includes('/')).sort())
    // Half of these is pure.
    const halves = pure.filter((room) => room.includes('/')).map((room) => room.split('/')[0])
    expect(rows.filter(({ disk }) => disk === 'partly').map(({ room }) => room)).toEqual(halves)
  })

  test('imports point the way that it says', () => {
    const line = /^`(model <- .*)`$/m.exec(text)?.[1]?.split(' <- ') ?? []
    expect(line.slice(0, order.length)).toEqual(order)
  })

  test.each(['One conversion', 'One handoff'])('%s: at most a dozen stations, all reached from the first', (title) => {
    const part = text.slice(text.indexOf(`## ${title}`)).split(/^## /m)[1] ?? ''
    const stations = part.split('\n').filter((line) => /^\d+\. /.test(line))
    expect(stations.length).toBeGreaterThan(5)
    expect(stations.length).toBeLessThanOrEqual(12)
    const files = namedPaths(part).flatMap((path) => (path.endsWith('.ts') ? [`src/${path}`] : []))
    expect(files.filter((path) => !existsSync(path))).toEqual([])
    // A member and the orchestrator are processes of their own, which the program starts.
    const reached = reachedFrom(['src/cli/main.ts'])
    expect(files.filter((path) => !reached.has(path))).toEqual([])
  })
})

/** Every file that these import, directly or not. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set(files)
  for (const file of reached)
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g))
      reached.add(join(file, '..', to))
  return reached
}

test('each source file begins with a sentence about itself', () => {
  const sources = pathsBelow('src/').filter((path) => path.endsWith('.ts'))
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter((path) => !readFileSync(path, 'utf8').startsWith('/**'))).toEqual([])
})
