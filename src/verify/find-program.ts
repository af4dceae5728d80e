/** Finds the user's own harness: at the given path, or on the PATH. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Its real path, with links followed; null where there is none that can be run. */
export function findProgram(name: string, path = process.env.PATH ?? ''): string | null {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const folder of path.split(delimiter)) {
    // A relative folder on the PATH could be the project's own.
    if (!isAbsolute(folder)) continue
    for (const ending of endings) {
      const found = programAt(join(folder, name + ending))
      if (found !== null) return found
    }
  }
  return null
}

export function programAt(path: string): string | null {
  try {
    const real = realpathSync(path)
    if (!statSync(real).isFile()) return null
    // Scripts are run by Node and need not be executable.
    accessSync(real, /\.[cm]?js$/.test(real) ? constants.R_OK : constants.X_OK)
    return real
  } catch {
    return null
  }
}
