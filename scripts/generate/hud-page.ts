/** The generated passages of docs/hud.md: the keys, the harnesses, and a gallery of what a model sees. */
import { readFileSync } from 'node:fs'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { dataIn } from '../../src/hud/data/data-text.ts'
import { readSection } from '../../src/hud/sections/read-section.ts'
import { renderHud } from '../../src/hud/sections/render.ts'
import { mergeLayers, sourceKey } from '../../src/hud/sections/section.ts'
import { type Key, sectionKeys } from '../../src/hud/sections/section-keys.ts'

/** Passages are between `<!-- generated: NAME -->` and `<!-- end -->`; the rest of the page is written by hand. */
export function hudPage(page: string, harnesses: readonly Harness[]): string {
  const passages: Readonly<Record<string, () => string[]>> = {
    keys: keyTable,
    harnesses: () => harnessList(harnesses),
    gallery,
  }
  return page.replace(/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_all, start, name: string, end) => {
    const passage = passages[name]
    if (passage === undefined) throw new Error(`docs/hud.md: there is no generated section "${name}"`)
    return `${start}\n${passage().join('\n')}\n\n${end}`
  })
}

function keyTable(): string[] {
  const rows = Object.entries(sectionKeys as Readonly<Record<string, Key>>).map(([name, { about, expects }]) => {
    return `| \`${name}\` | ${cell(about)} | ${cell(expects)} |`
  })
  return ['| key | meaning | value |', '|---|---|---|', ...rows]
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function harnessList(harnesses: readonly Harness[]): string[] {
  return harnesses.flatMap(({ title, hud }) => {
    if (hud === undefined) return []
    if ('none' in hud) return [`- **${title}**: no. ${hud.none}`]
    return [`- **${title}**: \`${hud.program.write}\``, ...hud.says.map((one) => `  - ${one}`)]
  })
}

const samples = [
  { file: 'context', scenes: [{ at: 41_000 }, { at: 176_400 }, { at: 189_000 }] },
  { file: 'test-runner', scenes: [{}] },
  { file: 'pipeline-status', scenes: [{}] },
] as const

function gallery(): string[] {
  const data = dataAt('sample.json') as { readonly context: object }
  return samples
    .flatMap(({ file, scenes }) => {
      const path = `.opencode/hud/${file}.md`
      const text = readFileSync(`examples/${path}`, 'utf8')
      const { file: section, findings } = readSection(text, file)
      if (findings.length > 0) throw new Error(`examples/${path}: ${findings[0]?.message}`)
      const sources = section.given.sources ?? []
      const extra = new Map(sources.map((one) => [sourceKey(one), dataAt(one.of)]))
      const sections = mergeLayers([{ file: section, layer: 'project', path }])
      const seen = scenes.flatMap((scene) => {
        const context = 'at' in scene ? { ...data.context, tokens: scene.at } : data.context
        const request = { sections, data: { ...data, context }, extra, agent: 'builder', purpose: 'prompt' } as const
        const where =
          'at' in scene ? `The model sees, at ${scene.at.toLocaleString('en-US')} tokens:` : 'The model sees:'
        return ['', where, '', '```text', renderHud(request).text, '```']
      })
      const given = sources.flatMap(({ of }) => [
        '',
        `With \`${of}\`:`,
        '',
        `\`\`\`${of.split('.').at(-1)}`,
        readFileSync(`examples/${of}`, 'utf8').trimEnd(),
        '```',
      ])
      return [`### ${path}`, '', '```markdown', text.trimEnd(), '```', ...given, ...seen, '']
    })
    .slice(0, -1)
}

function dataAt(path: string): unknown {
  const read = dataIn(readFileSync(`examples/${path}`, 'utf8'), path)
  if ('why' in read) throw new Error(`examples/${path}: ${read.why}`)
  return read.value
}
