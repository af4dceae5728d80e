/** What prompts refer to, as far as it may be written into other files: files of the project, and nothing of this machine. */
import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Surroundings } from '../../harness/prompt.ts'
import { readQuietly } from '../files.ts'
import { isOutside } from '../write.ts'
import type { OnRead } from './request.ts'

/** `path`: of the definition; `project`: the root of the project that is converted. */
export function referencesOf(path: string, project: string, note?: OnRead): Surroundings {
  return {
    // The value is perhaps a secret, and outputs are committed: the reference stays what it is.
    environment: (name) => `{env:${name}}`,
    readBeside: (reference) => {
      const file = resolve(dirname(path), reference)
      const isNear = [dirname(path), project].some((folder) => !leadsOutside(folder, file))
      note?.(file)
      return isNear ? readQuietly(file) : null
    },
  }
}

function leadsOutside(folder: string, file: string): boolean {
  try {
    return isOutside(realpathSync(folder), realpathSync(file))
  } catch {
    return true
  }
}
