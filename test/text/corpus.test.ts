import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { sameData, toData } from '../../src/text/data.ts'
import { decode, encode } from '../../src/text/decode.ts'
import { applyFixes } from '../../src/text/edit.ts'
import { cutFrontMatter } from '../../src/text/frontmatter.ts'
import { parseToml } from '../../src/text/toml.ts'
import { parseYaml } from '../../src/text/yaml.ts'
import { corpusFiles, hasCorpus } from './corpus.ts'

const options = {
  knownKeys: new Set([
    'name',
    'description',
    'tools',
    'disallowedTools',
    'model',
    'color',
    'mode',
    'permission',
    'skills',
  ]),
  listKeys: new Set(['tools', 'disallowedTools']),
}

function strict(source: string): { data: unknown } | null {
  try {
    return { data: parse(source) }
  } catch {
    return null
  }
}

describe.runIf(hasCorpus)('real files', () => {
  it('give the data that strict YAML gives, or are recovered and repaired', () => {
    const wrong: string[] = []
    let recovered = 0
    for (const { path, bytes } of corpusFiles('.md')) {
      const { text, encoding } = decode(bytes)
      if (!sameData([...encode(text, encoding)], [...bytes])) wrong.push(`${path}: bytes`)
      const cut = cutFrontMatter(text)
      if (!cut.yaml) continue
      const { root, findings } = parseYaml(text, cut.yaml, cut.indent, options)
      const source = text.slice(cut.yaml.start, cut.yaml.end)
      const expected = strict(cut.indent === '' ? source : source.replaceAll(`\n${cut.indent}`, '\n').trimStart())
      if (expected && (findings.length > 0 || !sameData(toData(root), expected.data))) wrong.push(`${path}: data`)
      if (expected) continue
      recovered++
      const data = toData(root) as Record<string, unknown>
      if (!data.description || (/^name:/m.test(source) && !data.name)) wrong.push(`${path}: lost`)
      const fixed = applyFixes(text, [...cut.findings, ...findings]).text
      const again = cutFrontMatter(fixed)
      const repaired = strict(fixed.slice(again.yaml!.start, again.yaml!.end))
      if (!repaired || !sameData(repaired.data, data)) wrong.push(`${path}: fix`)
      if (fixed.slice(again.body.start) !== text.slice(cut.body.start)) wrong.push(`${path}: body`)
    }
    expect(wrong).toEqual([])
    expect(recovered).toBeGreaterThan(0)
  }, 60_000)

  it('give the data that the TOML library gives', () => {
    for (const { path, bytes } of corpusFiles('.toml')) {
      const { text } = decode(bytes)
      const { root, findings } = parseToml(text)
      expect([path, findings, toData(root)]).toEqual([path, [], getStaticTOMLValue(parseTOML(text))])
    }
  })
})
