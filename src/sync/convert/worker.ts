/** A thread of a conversion: takes batches of files, converts them, and sends back the results. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Registry } from '../../harness/registry.ts'
import { registryWith } from '../../project/user-harnesses.ts'
import { renamedIn } from '../../workbench/naming.ts'
import { convertFile, type FileRules } from './convert-file.ts'
import type { WorkerJob, WorkerResults, WorkerRules } from './converter.ts'

const { own, targets, ...rest } = workerData as WorkerRules
const registry = registryWith(own)
const rules: FileRules = {
  ...rest,
  registry,
  targets: targets.map(({ harness, carrier, ...one }) => {
    return { ...one, target: carrierOf(registry, harness, carrier), renamedFor: renamedIn(one.renamed) }
  }),
}

parentPort?.on('message', (jobs: readonly WorkerJob[]) => {
  const results = jobs.map(({ candidate, ...job }) => {
    const { harness, carrier } = carrierOf(registry, candidate.harness, candidate.carrier)
    return convertFile(rules, { ...job, candidate: { ...candidate, harness, carrier } })
  })
  const answer: WorkerResults = { results }
  parentPort?.postMessage(JSON.stringify(answer))
})

function carrierOf({ byId }: Registry, id: string, kind: string) {
  const harness = byId(id)
  const carrier = harness?.carriers.find((one) => one.id === kind)
  if (harness === undefined || carrier === undefined) throw new Error(`There is no ${id}:${kind}.`)
  return { harness, carrier }
}
