/** A copy of the project for a trial: what git knows or would take up, and of the workplace only what people write. */
import { copyFileSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askGit } from '../../project/ask-git.ts'
import { isOutside } from '../../project/write.ts'
import { FOLDER } from '../../runtime/places.ts'

/** Larger projects are tried without their largest files, and without the rest of too many. */
const MOST_FILES = 20_000
const LARGEST = 5 * 1024 * 1024
const LIMIT = 10_000

/** How many files were left out because of that. */
export async function copyProject(root: string, to: string, ignore: readonly string[]): Promise<number> {
  const all = (await gitFiles(root)) ?? walked(root, ignore)
  const own = ['config.json', 'agents', 'deploy', 'memory'].flatMap((name) => below(root, `${FOLDER}/${name}`))
  const paths = [...own, ...all.filter((path) => path !== FOLDER && !path.startsWith(`${FOLDER}/`))]
  let left = Math.max(0, paths.length - MOST_FILES)
  mkdirSync(join(to, FOLDER), { recursive: true })
  for (const path of paths.slice(0, MOST_FILES)) if (!copyOne(root, to, path)) left++
  return left
}

/** Null where there is no repository, or no git. */
async function gitFiles(root: string): Promise<string[] | null> {
  try {
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    return (await askGit(root, words, LIMIT)).split('\0').filter((path) => path !== '')
  } catch {
    return null
  }
}

/** Of the workplace, which git need not know. */
function below(root: string, path: string): string[] {
  const known = statSync(join(root, path), { throwIfNoEntry: false })
  if (known?.isDirectory() !== true) return known === undefined ? [] : [path]
  return walked(join(root, path), []).map((one) => `${path}/${one}`)
}

function walked(root: string, ignore: readonly string[]): string[] {
  const found: string[] = []
  const enter = (below: string) => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      if (found.length > MOST_FILES || ignore.includes(entry.name) || entry.name === '.git') continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) enter(path)
      else found.push(path)
    }
  }
  enter('')
  return found
}

/** A link is followed to a file of the project, and to nothing else. */
function copyOne(root: string, to: string, path: string): boolean {
  const from = join(root, path)
  const known = lstatSync(from, { throwIfNoEntry: false })
  // Git knows files that are gone.
  if (known === undefined) return true
  try {
    if (known.isSymbolicLink() && isOutside(realpathSync(root), realpathSync(from))) return false
    const { size } = statSync(from)
    if (!statSync(from).isFile() || size > LARGEST) return known.isDirectory()
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(from, join(to, path))
    return true
  } catch {
    return false
  }
}
