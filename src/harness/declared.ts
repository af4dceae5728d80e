/** Definitions that a file of settings declares: it names them, and what they leave out may stand there. */
import { plainPath } from '../model/pattern.ts'
import { entry, get, isMap } from '../text/data.ts'
import { dataFormat } from '../text/data-formats.ts'
import type { DataNode } from '../text/tree.ts'
import type { Surroundings } from './prompt.ts'
import type { Carrier } from './schema/harness.ts'

export interface Declaration {
  readonly name: string
  readonly description: string | null
}

/** `relativePath`: below the folder of this kind of file. Null: nobody declares what stands there. */
export function declarationOf(
  { declared }: Carrier,
  relativePath: string,
  { readBeside }: Surroundings,
): Declaration | null {
  if (declared === undefined) return null
  const above = '../'.repeat(relativePath.split('/').length)
  const text = readBeside(above + declared.file)
  const all = text === null ? undefined : get(rootOf(declared.format, text), [declared.at])
  if (all === undefined || !isMap(all)) return null
  const found = all.entries.find(
    ({ value }) => isMap(value) && plainPath(textAt(value, declared.by) ?? '') === declared.folder + relativePath,
  )
  return found === undefined ? null : { name: found.key, description: textAt(found.value, declared.description) }
}

let last: { readonly format: string; readonly text: string; readonly root: DataNode | null } | null = null

/** Of one file of settings all definitions beside it are told. */
function rootOf(format: string, text: string): DataNode | null {
  if (last?.format !== format || last.text !== text) last = { format, text, root: dataFormat(format).parse(text).root }
  return last.root
}

function textAt(node: DataNode, key: string): string | null {
  const value = entry(node, key)?.value
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : null
}
