/** Reads YAML: strictly where it is valid, and by recovery where it is not; there is always an answer. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { recoverYaml } from './recover.ts'
import type { RecoveryOptions } from './recover-pieces.ts'
import type { DataNode, Parsed } from './tree.ts'
import { viewRange } from './view.ts'
import { readStrictYaml } from './yaml-library.ts'

export interface YamlOptions extends RecoveryOptions {
  /** Accept a list or a single value at the top without a finding. */
  readonly anyRoot?: boolean
}

/** `range` and `indent` are those of the front matter (see `cutFrontMatter`); without them the whole text is read. */
export function parseYaml(
  text: string,
  range: Range = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length },
  indent = '',
  options: YamlOptions = {},
): Parsed {
  const view = viewRange(text, range, indent)
  const strict = readStrictYaml(view)
  const clean = strict.problems.length === 0 && strict.duplicates.length === 0
  const parsed = clean
    ? { root: strict.root, findings: [], recovered: [] }
    : recoverYaml({ text, range, indent, view, strict, options })
  if (options.anyRoot || !wrongRoot(parsed.root)) return parsed
  return { ...parsed, findings: [...parsed.findings, notAMap(parsed.root!)] }
}

function wrongRoot(root: DataNode | null): boolean {
  return root !== null && root.kind !== 'map' && !(root.kind === 'scalar' && root.value === null)
}

function notAMap(root: DataNode): Finding {
  const what = root.kind === 'list' ? 'a list' : 'a single value'
  return { code: 'front-matter-not-a-map', message: `Here is ${what} where keys and values belong.`, range: root.range }
}
