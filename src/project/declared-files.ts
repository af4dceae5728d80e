/** A file of settings that declares agents in files of their own stands for those agents. */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insidePath } from '../harness/manifests.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import { entry, get, isMap } from '../text/data.ts'
import { dataFormat } from '../text/data-formats.ts'
import { readQuietly } from './files.ts'

export interface DeclaredFile {
  readonly path: string
  readonly harness: Harness
  readonly carrier: Carrier
  readonly relativePath: string
}

/** Empty where the file declares none. */
export function declaredFiles({ all }: Registry, path: string): DeclaredFile[] {
  return all.flatMap((harness) =>
    harness.carriers.flatMap((carrier): DeclaredFile[] => {
      const { declared } = carrier
      if (declared === undefined || basename(path) !== declared.file) return []
      const root = get(dataFormat(declared.format).parse(readQuietly(path) ?? '').root, [declared.at])
      if (!isMap(root)) return []
      return root.entries.flatMap(({ value }) => {
        const named = entry(value, declared.by)?.value
        const inside = named?.kind === 'scalar' ? insidePath(String(named.value)) : null
        if (inside === null || !inside.startsWith(declared.folder)) return []
        const file = join(dirname(path), inside)
        const relativePath = inside.slice(declared.folder.length)
        return existsSync(file) ? [{ path: file, harness, carrier, relativePath }] : []
      })
    }),
  )
}
