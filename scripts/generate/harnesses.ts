/** Compiles `harnesses/`: a folder for each harness, and `shared/` for what several have in common. */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { type LoadedHarness, loadHarness } from '../../src/harness/schema/load.ts'
import { type DataMap, inheritable } from '../../src/harness/schema/merge.ts'

export interface CompiledHarnesses {
  readonly harnesses: readonly Harness[]
  /** By name: what a file can extend. */
  readonly sources: Readonly<Record<string, DataMap>>
}

/** Prints what is wrong and ends the process if anything is. */
export function compileHarnesses(root: string): CompiledHarnesses {
  const folders = readdirSync(root).sort()
  const shared = Object.fromEntries(
    readdirSync(`${root}/shared`).map((file) => {
      const data: DataMap = parse(readFileSync(`${root}/shared/${file}`, 'utf8'))
      return [`shared/${file.replace(/\.yaml$/, '')}`, data]
    }),
  )
  const loaded = new Map<string, LoadedHarness>()
  const load = (id: string): LoadedHarness => {
    let one = loaded.get(id)
    if (one === undefined) {
      loaded.set(id, { problems: [`extends itself: ${id}`] })
      one = loadHarness(readFolder(`${root}/${id}`), (name) => shared[name] ?? dataOf(name))
      loaded.set(id, one)
    }
    return one
  }
  const dataOf = (id: string) => {
    const one = folders.includes(id) ? load(id) : undefined
    return one !== undefined && 'data' in one ? one.data : undefined
  }
  const harnesses: Harness[] = []
  const sources: Record<string, DataMap> = { ...shared }
  let isBroken = false
  for (const id of folders.filter((name) => name !== 'shared')) {
    const one = load(id)
    const problems =
      'problems' in one ? one.problems : one.harness.id === id ? [] : ['its id is not the name of its folder']
    for (const problem of problems) console.error(`${root}/${id}: ${problem}`)
    isBroken ||= problems.length > 0
    if ('problems' in one) continue
    harnesses.push(one.harness)
    sources[id] = inheritable(one.data)
  }
  if (isBroken) process.exit(1)
  return { harnesses, sources }
}

/** `harness.yaml` first. */
function readFolder(folder: string) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  const inOrder = ['harness.yaml', ...names.filter((name) => name !== 'harness.yaml').sort()]
  return inOrder.map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }))
}
