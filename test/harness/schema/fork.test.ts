/** A fork of a harness: the same dialect, with folders and files of its own. */
import { describe, expect, test } from 'vitest'
import { builtInLibrary } from '../../../src/harness/library.ts'
import { loadHarness } from '../../../src/harness/schema/load.ts'

const fork = `id: nut
title: Nut
extends: opencode
renamed: { opencode: nut }
`

describe('a fork with places of its own', () => {
  const loaded = loadHarness([{ name: 'nut.yaml', path: 'nut.yaml', text: fork }], builtInLibrary)
  const harness = 'harness' in loaded ? loaded.harness : null
  const original = builtInLibrary.find('opencode')?.data

  test('looks for everything under its own name, in every section that names files', () => {
    const places = JSON.stringify([
      harness?.carriers,
      harness?.skills,
      harness?.commands,
      harness?.paths,
      harness?.calls,
    ])
    expect(places).not.toContain('opencode')
    expect(places.split('nut').length).toBeGreaterThan(20)
    expect(harness?.fields.mcpServers?.config?.file).toBe('nut.json')
    const sources = (original?.effective as { sources: unknown[] } | undefined)?.sources
    expect(harness?.effective?.sources.length).toBe(sources?.length)
  })

  test('keeps the words of the dialect, and the tools that both have', () => {
    expect(harness?.fields.options?.form).toBe('opencode')
    expect(harness?.access.base.flatMap(({ tools }) => tools)).toContain('native:opencode/doom_loop')
    expect(Object.keys(harness?.units ?? {})).toEqual(Object.keys(original?.units as object))
  })

  test('has a name for which no pattern stands', () => {
    const text = fork.replace('opencode: nut', "opencode: 'n.t'")
    const odd = loadHarness([{ name: 'nut.yaml', path: 'nut.yaml', text }], builtInLibrary)
    expect('harness' in odd && odd.harness.carriers[0]?.project?.write).toBe('.n.t/agents/{name}.md')
  })
})
