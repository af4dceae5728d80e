/** Converts files on this thread, or many of them on several: results are returned in the order of the files. */
import { Worker } from 'node:worker_threads'
import { builtInHarnesses } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { convertFile, type FileJob, type FileResult, type FileRules } from './convert-file.ts'
import type { WorkerOptions } from './request.ts'

export interface ConvertedFile {
  readonly job: FileJob
  readonly result: FileResult
}

export interface FileConverter {
  /** Takes a file, and returns those that are done and next in order. */
  readonly convert: (job: FileJob) => Promise<ConvertedFile[]> | ConvertedFile[]
  readonly finish: () => Promise<ConvertedFile[]> | ConvertedFile[]
  readonly close: () => void
}

/** With fewer files, starting a thread costs more than it saves. */
const FEWEST_FILES = 800
const FILES_AT_A_TIME = 25
/** Pending batches per thread. */
const BATCHES_AHEAD = 3

export function openConverter(rules: FileRules, files: number, workers?: WorkerOptions): FileConverter {
  if (workers === undefined || workers.count < 2 || files < FEWEST_FILES) return onThisThread(rules)
  return onThreads(rules, workers)
}

function onThisThread(rules: FileRules): FileConverter {
  return { convert: (job) => [{ job, result: convertFile(rules, job) }], finish: () => [], close: () => {} }
}

/** What a worker is started with: harnesses are passed by id, because each is large. */
export interface WorkerRules extends Omit<FileRules, 'registry' | 'targets'> {
  readonly own: readonly Harness[]
  readonly targets: readonly (Omit<FileRules['targets'][number], 'target'> & CarrierId)[]
}

export interface WorkerJob extends Omit<FileJob, 'candidate'> {
  readonly candidate: Omit<FileJob['candidate'], 'harness' | 'carrier'> & CarrierId
}

interface CarrierId {
  readonly harness: string
  readonly carrier: string
}

interface Batch {
  readonly jobs: readonly FileJob[]
  readonly results: Promise<readonly FileResult[]>
}

function onThreads(rules: FileRules, { program, count }: WorkerOptions): FileConverter {
  const workerData = rulesFor(rules)
  const threads = Array.from({ length: count }, () => openThread(program, workerData))
  const batches: Batch[] = []
  let waiting: FileJob[] = []
  let sent = 0
  const send = () => {
    const thread = threads[sent++ % threads.length]
    if (thread === undefined || waiting.length === 0) return
    batches.push({ jobs: waiting, results: thread.convert(waiting.map(jobFor)) })
    waiting = []
  }
  const takeFirst = async (): Promise<ConvertedFile[]> => {
    const batch = batches.shift()
    if (batch === undefined) return []
    const results = await batch.results
    return batch.jobs.map((job, index) => ({ job, result: results[index] as FileResult }))
  }
  return {
    convert: (job) => {
      waiting.push(job)
      if (waiting.length < FILES_AT_A_TIME) return []
      send()
      return batches.length > count * BATCHES_AHEAD ? takeFirst() : []
    },
    finish: async () => {
      send()
      const all: ConvertedFile[] = []
      while (batches.length > 0) all.push(...(await takeFirst()))
      return all
    },
    close: () => {
      for (const { end } of threads) end()
    },
  }
}

interface Thread {
  readonly convert: (jobs: readonly WorkerJob[]) => Promise<readonly FileResult[]>
  readonly end: () => void
}

/** Answers arrive in the order of the requests. */
function openThread(program: string, workerData: WorkerRules): Thread {
  const worker = new Worker(program, { workerData })
  const open: { resolve: (results: readonly FileResult[]) => void; reject: (error: Error) => void }[] = []
  worker.on('message', (results: readonly FileResult[]) => open.shift()?.resolve(results))
  worker.on('error', (error: Error) => {
    for (const { reject } of open.splice(0)) reject(error)
  })
  return {
    convert: (jobs) =>
      new Promise((resolve, reject) => {
        open.push({ resolve, reject })
        worker.postMessage(jobs)
      }),
    end: () => {
      worker.removeAllListeners()
      worker.terminate()
    },
  }
}

function rulesFor({ registry, targets, ...rest }: FileRules): WorkerRules {
  const own = registry.all.filter((harness) => !builtInHarnesses.includes(harness))
  return {
    ...rest,
    own,
    targets: targets.map(({ target, ...one }) => ({ ...one, harness: target.harness.id, carrier: target.carrier.id })),
  }
}

function jobFor({ candidate, ...job }: FileJob): WorkerJob {
  return { ...job, candidate: { ...candidate, harness: candidate.harness.id, carrier: candidate.carrier.id } }
}
