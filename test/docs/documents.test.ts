/** The documents for contributors name files and folders of this repository, and those are there. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

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
