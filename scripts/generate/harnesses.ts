/** Compiles `harnesses/`: a folder for each harness, and `shared/` for what several have in common. */
import { readdirSync, readFileSync } from 'node:fs'
import { type HarnessProblem, parseFile } from '../../src/harness/lint/places.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { type Extendable, type Library, type LoadedHarness, loadHarness } from '../../src/harness/schema/load.ts'
import { type DataMap, inheritable } from '../../src/harness/schema/merge.ts'

export interface CompiledHarnesses {
  readonly harnesses: readonly Harness[]
  /** By name: what a file can extend. */
  readonly sources: Readonly<Record<string, DataMap>>
}

/** Prints what is wrong and ends the process if anything is. */
export function compileHarnesses(root: string): CompiledHarnesses {
  const folders = readdirSync(root)
    .filter((name) => name !== 'shared')
    .sort()
  const shared = new Map<string, Extendable>(
    readdirSync(`${root}/shared`).map((file) => {
      const path = `${root}/shared/${file}`
      const { data, source, problems } = parseFile(path, readFileSync(path, 'utf8'))
      for (const problem of problems) report(problem)
      return [`shared/${file.replace(/\.yaml$/, '')}`, { data: data as DataMap, sources: [source] }]
    }),
  )
  const loaded = new Map<string, LoadedHarness>()
  const load = (id: string): LoadedHarness => {
    let one = loaded.get(id)
    if (one === undefined) {
      const message = `extends itself: ${id}.`
      loaded.set(id, { problems: [{ file: `${root}/${id}/harness.yaml`, line: 1, column: 1, message }] })
      one = loadHarness(readFolder(`${root}/${id}`), library)
      loaded.set(id, one)
    }
    return one
  }
  const library: Library = {
    names: [...folders, ...shared.keys()],
    find: (name) => {
      const one = folders.includes(name) ? load(name) : undefined
      return one !== undefined && 'data' in one ? one : shared.get(name)
    },
  }
  const harnesses: Harness[] = []
  const sources: Record<string, DataMap> = {}
  for (const [name, { data }] of shared) sources[name] = data
  for (const id of folders) {
    const one = load(id)
    if ('problems' in one) one.problems.forEach(report)
    else if (one.harness.id !== id)
      report({
        file: `${root}/${id}/harness.yaml`,
        line: 1,
        column: 1,
        message: 'The id is not the name of the folder.',
      })
    else {
      harnesses.push(one.harness)
      sources[id] = inheritable(one.data)
    }
  }
  if (process.exitCode === 1) process.exit()
  return { harnesses, sources }
}

/** The build fails at the end, with all that is wrong. */
function report({ file, line, column, message }: HarnessProblem): void {
  console.error(`${file}:${line}:${column}: ${message}`)
  process.exitCode = 1
}

/** `harness.yaml` first. */
function readFolder(folder: string) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const inOrder = ['harness.yaml', ...names.filter((name) => name !== 'harness.yaml').sort()]
  return inOrder.map((name) => ({ name, path: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') }))
}
