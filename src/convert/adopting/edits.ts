/** Changes as edits of the definition's own text, which leave every other character alone. */
import type { Edit } from '../../model/place.ts'
import { entry, get, isMap } from '../../text/data.ts'
import { removeJsonValue, setJsonValue } from '../../text/edit-json.ts'
import { removeTomlValue, setTomlValue } from '../../text/edit-toml.ts'
import { insertEntry, removeEntry, setYamlValue } from '../../text/edit-yaml.ts'
import { yamlValue } from '../../text/render.ts'
import type { Source } from '../parse.ts'
import { differenceOf } from '../restore-prompt.ts'
import type { Change } from './changes.ts'

/** Null where the text gives no place for it. */
export function editsFor(source: Source, change: Change): readonly Edit[] | null {
  if (change.kind === 'prompt') return promptEdits(source, change.text)
  const { path, value } = change
  const { text, carrier } = source
  if (carrier.format === 'markdown' || carrier.format === 'yaml') return yamlEdits(source, path, value)
  const isToml = carrier.format === 'toml'
  if (value === undefined) return isToml ? removeTomlValue(text, path) : removeJsonValue(text, path)
  return isToml ? setTomlValue(text, path, value) : setJsonValue(text, path, value)
}

function promptEdits(source: Source, wanted: string): readonly Edit[] | null {
  const { agent, carrier, text } = source
  const { range, text: now } = agent.prompt
  if (carrier.prompt.in === 'key') {
    const path = [carrier.prompt.key ?? '']
    return carrier.format === 'toml' ? setTomlValue(text, path, wanted) : setJsonValue(text, path, wanted)
  }
  if (range === null) return null
  return differenceOf(now, wanted).map((edit) => ({
    ...edit,
    range: { start: edit.range.start + range.start, end: edit.range.end + range.start },
  }))
}

function yamlEdits(source: Source, path: readonly string[], value: unknown): readonly Edit[] | null {
  const { text, map, document } = source
  const holder = path.length === 1 ? map : get(map, path.slice(0, -1))
  const key = path.at(-1) ?? ''
  const found = entry(holder, key)
  if (found !== undefined)
    return [value === undefined ? removeEntry(text, found) : setYamlValue(text, found.value, value)]
  const place = isMap(holder) ? holder : document.frontMatter?.yaml
  if (value === undefined || place === null || place === undefined) return null
  const indent = '  '.repeat(path.length - 1)
  return [insertEntry(text, place, key, yamlValue(value, { indent, lineEnd: source.lineEnd }))]
}
