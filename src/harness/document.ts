/** A file as text with structure: data with places, and the body where there is one. Still nobody's dialect. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { type Cut, cutFrontMatter } from '../text/frontmatter.ts'
import { parseJson } from '../text/json.ts'
import { parsePrs } from '../text/prs.ts'
import { parseToml } from '../text/toml.ts'
import type { DataNode, Parsed } from '../text/tree.ts'
import { parseYaml } from '../text/yaml.ts'
import type { Carrier } from './schema/harness.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface Document {
  readonly text: string
  readonly format: Carrier['format']
  readonly root: DataNode | null
  /** Null where the format has no body. */
  readonly body: Range | null
  readonly frontMatter: Cut | null
  readonly findings: readonly Finding[]
  /** Top-level keys whose values had to be recovered. */
  readonly recovered: readonly string[]
}

export function parseDocument(text: string, format: Carrier['format'], vocabulary: Vocabulary): Document {
  if (format === 'markdown') return parseMarkdown(text, vocabulary)
  const parsed = parseData(text, format, vocabulary)
  return { text, format, body: null, frontMatter: null, ...parsed }
}

function parseData(text: string, format: Exclude<Carrier['format'], 'markdown'>, vocabulary: Vocabulary): Parsed {
  switch (format) {
    case 'toml':
      return parseToml(text)
    case 'json':
      return parseJson(text)
    case 'jsonc':
      return parseJson(text, { comments: true })
    case 'prs':
      return parsePrs(text)
    case 'yaml':
      return parseYaml(text, undefined, '', vocabulary)
  }
}

function parseMarkdown(text: string, vocabulary: Vocabulary): Document {
  const cut = cutFrontMatter(text)
  const { root, findings, recovered }: Parsed =
    cut.yaml === null
      ? { root: null, findings: cut.findings.length > 0 ? [] : [noFrontMatter], recovered: [] }
      : parseYaml(text, cut.yaml, cut.indent, vocabulary)
  const all = cut.findings.length === 0 ? findings : [...cut.findings, ...findings]
  return { text, format: 'markdown', root, body: cut.body, frontMatter: cut, findings: all, recovered }
}

const noFrontMatter: Finding = {
  code: 'no-front-matter',
  message: 'The file has no front matter: the whole text is the prompt.',
  range: { start: 0, end: 0 },
}
