/** Changes single values of `troupe.yaml` and leaves everything else in it, comments included, as it is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, writeNewFile } from '../disk/atomic-write.ts'
import { describeError } from '../disk/errors.ts'
import { type DataNode, getEntry, getNode, isMap } from '../formats/data.ts'
import { encode } from '../formats/decode.ts'
import { applyEdits } from '../formats/edit/edits.ts'
import { dominantLineEnd, lineStart } from '../formats/lines.ts'
import { insertEntry, removeEntry, setYamlValue } from '../formats/yaml/edit.ts'
import { parseYaml } from '../formats/yaml/parse.ts'
import { yamlEntry, yamlValue } from '../formats/yaml/render.ts'
import type { Json } from '../model/agent.ts'
import { readTextFile } from './read-text.ts'
import { TROUPE_FILE } from './troupe-file.ts'

export interface TroupeValue {
  readonly path: readonly [key: string, ...string[]]
  /** Null: remove it. */
  readonly value: string | null
}

/** `problem`: half a sentence about why nothing was changed. */
export type TroupeFileChange = 'made' | 'changed' | 'unchanged' | { readonly problem: string }

export function editTroupeFile(root: string, values: readonly TroupeValue[]): TroupeFileChange {
  const path = join(root, TROUPE_FILE)
  const isThere = existsSync(path)
  const read = isThere ? readTextFile(path, TROUPE_FILE) : null
  if (read !== null && 'problem' in read) return { problem: 'it cannot be read' }
  const before = read?.file.text ?? ''
  let text = before
  for (const one of values) {
    const next = withValue(text, one)
    if (next === null) return { problem: `${one.path.join('.')} cannot be set in it, or it is not valid YAML` }
    text = next
  }
  if (text === before) return 'unchanged'
  const bytes = encode(text, read?.file.encoding ?? 'utf-8')
  if (isThere) {
    const result = replaceFile(path, bytes, root)
    return result.written ? 'changed' : { problem: result.why }
  }
  try {
    writeNewFile(path, bytes, { mode: null, durable: true })
    return 'made'
  } catch (error) {
    return { problem: describeError(error, 'writing') }
  }
}

/** Null where the text does not allow it, or would not read back as wanted. */
function withValue(text: string, { path, value }: TroupeValue): string | null {
  const { root, findings } = parseYaml(text)
  if (findings.length > 0 || !(root === null || isEmpty(root) || isMap(root))) return null
  const changed = applied(text, isMap(root) ? root : null, path, value)
  if (changed === null) return null
  const again = parseYaml(changed)
  const found = getNode(again.root, [...path])
  const isSo = value === null ? found === undefined : found?.kind === 'scalar' && found.value === value
  return again.findings.length === 0 && isSo ? changed : null
}

function applied(text: string, root: DataNode | null, path: TroupeValue['path'], value: string | null): string | null {
  const known = getEntry(getNode(root, path.slice(0, -1)), path.at(-1) ?? '')
  if (value === null) return known === undefined ? text : applyEdits(text, [removeEntry(text, known)])
  if (known !== undefined) return applyEdits(text, [setYamlValue(text, known.value, value)])
  // The deepest existing part of the path takes the rest of it.
  const depth = path.findLastIndex((_key, index) => index === 0 || getNode(root, path.slice(0, index)) !== undefined)
  const holder = depth === 0 ? root : getNode(root, path.slice(0, depth))
  const [key = '', ...inner] = path.slice(depth)
  const missing = inner.reduceRight<Json>((within, one) => ({ [one]: within }), value)
  const lineEnd = dominantLineEnd(text)
  if (isMap(holder) && holder.entries.length > 0) {
    const { start } = holder.range
    const style = { indent: ' '.repeat(start - lineStart(text, start)), lineEnd, flow: text[start] === '{' }
    return applyEdits(text, [insertEntry(text, holder, key, yamlValue(missing, style))])
  }
  if (depth > 0) return isEmpty(holder) ? applyEdits(text, [setYamlValue(text, holder, { [key]: missing })]) : null
  const gap = text === '' || text.endsWith('\n') ? '' : lineEnd
  return `${text}${gap}${yamlEntry(key, missing, { lineEnd })}${lineEnd}`
}

/** `work:` without a value, or with an empty map. */
function isEmpty(node: DataNode | null | undefined): node is DataNode {
  return isMap(node) ? node.entries.length === 0 : node?.kind === 'scalar' && node.value === null
}
