/** What decides about a call besides the rules of the agent, as far as the harness file tells. */
import { join } from 'node:path'
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import { entry } from '../text/data.ts'
import { parseJson } from '../text/json.ts'
import { readQuietly } from './files.ts'
import { projectFolders } from './roots.ts'

export function callNotes({ calls }: Harness, tool: string, as: Role, here: string): string[] {
  const fitting = (calls?.notes ?? []).filter(
    ({ tools, role, where }) =>
      (tools?.includes(tool) ?? true) &&
      (role === undefined || role === as) &&
      (where === undefined || projectFolders(here).some((folder) => says(folder, where))),
  )
  return fitting.map(({ note }) => note)
}

function says(
  folder: string,
  { files, keys }: { readonly files: readonly string[]; readonly keys: readonly string[] },
) {
  return files.some((file) => {
    const text = readQuietly(join(folder, file))
    const root = text === null ? null : parseJson(text, { comments: true }).root
    return keys.some((key) => entry(root, key) !== undefined)
  })
}
