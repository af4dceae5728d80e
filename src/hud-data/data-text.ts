/** Data that stands in a file: JSON, YAML, or the front matter of Markdown. */
import { isMap, toData } from '../text/data.ts'
import { cutFrontMatter } from '../text/frontmatter.ts'
import { parseJson } from '../text/json.ts'
import { parseYaml } from '../text/yaml.ts'

/** Undefined: it is none of these, or broken. */
export function dataIn(text: string, path: string): unknown {
  if (/\.(?:md|markdown)$/i.test(path)) return frontMatterOf(text) ?? undefined
  if (/\.ya?ml$/i.test(path)) {
    const { root, findings } = parseYaml(text, undefined, '', { anyRoot: true })
    return findings.length > 0 ? undefined : toData(root)
  }
  const { root, findings } = parseJson(text, { comments: true })
  return findings.some(({ code }) => code === 'invalid-json') ? undefined : toData(root)
}

export function frontMatterOf(text: string): Readonly<Record<string, unknown>> | null {
  const { yaml, indent } = cutFrontMatter(text)
  if (yaml === null) return null
  const { root } = parseYaml(text, yaml, indent)
  return isMap(root) ? (toData(root) as Record<string, unknown>) : null
}
