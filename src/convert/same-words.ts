/** The lists of tools as the author wrote them, where they mean the same in the target. */
import { compareAccess } from '../fidelity/access.ts'
import type { AccessLayerSpec, Harness } from '../harness/schema/harness.ts'
import { accessOfKeys } from '../harness/target-access.ts'
import { toolEntries } from '../harness/tool-list.ts'
import type { AccessKeys } from '../harness/write-access.ts'
import type { Json } from '../model/agent.ts'
import { entry } from '../text/data.ts'
import { type CarriedAccess, isWiderThan } from './access.ts'
import type { Source } from './parse.ts'

/** Null where the target reads something else in these words, or has no such list. */
export function sameWords(
  source: Source,
  target: Harness,
  carried: CarriedAccess,
  fields: ReadonlyMap<string, Json>,
): AccessKeys | null {
  const keys = new Map<string, Json>()
  for (const spec of source.harness.access.layers) {
    const node = entry(source.map, spec.key)?.value
    if (node === undefined) continue
    const words = isListed(target, spec) ? toolEntries(source.text, node, spec) : null
    if (words === null) return null
    if (words.length === 0 && spec.empty !== 'absent') return null
    if (words.length > 0)
      keys.set(
        spec.key,
        words.map(({ name, argument }) => word(name, argument)),
      )
  }
  const access = accessOfKeys(source.registry, target, keys, fields)
  if (isWiderThan(carried, target, access) || compareAccess(access, carried.access).widened.length > 0) return null
  return keys
}

function isListed(target: Harness, { key, codec }: AccessLayerSpec): boolean {
  return codec.endsWith('-list') && target.access.layers.some((one) => one.key === key && one.codec === codec)
}

function word(name: string, argument: string | null): string {
  return argument === null ? name : `${name}(${argument})`
}
