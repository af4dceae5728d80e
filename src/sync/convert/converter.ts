/** Converts files, many of them on several threads: results are returned in the order of the files. */
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
/** How many batches wait for a thread, so that it always has something to do. */
const BATCHES_AHEAD = 3
/** How many batches are converted before the first of them is written. */
const BATCHES_HELD = 40

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
  readonly targets: readonly (Omit<FileRules['targets'][number], 'target' | 'renamedFor'> & CarrierId)[]
}

export interface WorkerJob extends Omit<FileJob, 'candidate'> {
  readonly candidate: Omit<FileJob['candidate'], 'harness' | 'carrier'> & CarrierId
}

interface CarrierId {
  readonly harness: string
  readonly carrier: string
}

/** What a worker sends back, as JSON, which is cheaper to make and to read than a copy of all these objects. */
export interface WorkerResults {
  readonly results: readonly FileResult[]
}

interface Batch {
  readonly jobs: readonly FileJob[]
  /** Null: a thread is at it. */
  results: readonly FileResult[] | null
  readonly isDone: Promise<void>
}

/** This thread reads and writes, and converts what the others have no time for. */
function onThreads(rules: FileRules, { program, count }: WorkerOptions): FileConverter {
  const workerData = rulesFor(rules)
  const threads = Array.from({ length: count - 1 }, () => openThread(program, workerData))
  const batches: Batch[] = []
  let waiting: FileJob[] = []
  const dispatch = () => {
    const jobs = waiting
    waiting = []
    const idlest = threads.reduce((a, b) => (b.open() < a.open() ? b : a))
    if (idlest.open() < BATCHES_AHEAD) batches.push(sendBatch(idlest, jobs))
    else batches.push({ jobs, results: jobs.map((job) => convertFile(rules, job)), isDone: Promise.resolve() })
  }
  const take = (): ConvertedFile[] => {
    const done = batches.findIndex(({ results }) => results === null)
    return batches.splice(0, done < 0 ? batches.length : done).flatMap(filesOf)
  }
  return {
    convert: async (job) => {
      waiting.push(job)
      if (waiting.length < FILES_AT_A_TIME) return []
      dispatch()
      // The answers of other threads arrive in between.
      await new Promise(setImmediate)
      if (batches.length > BATCHES_HELD) await batches[0]?.isDone
      return take()
    },
    finish: async () => {
      if (waiting.length > 0) dispatch()
      await Promise.all(batches.map(({ isDone }) => isDone))
      return take()
    },
    close: () => {
      for (const { end } of threads) end()
    },
  }
}

function sendBatch(thread: Thread, jobs: readonly FileJob[]): Batch {
  const batch: Batch = {
    jobs,
    results: null,
    isDone: thread.convert(jobs.map(jobFor)).then((results) => {
      batch.results = results
    }),
  }
  // It is waited for later.
  batch.isDone.catch(() => {})
  return batch
}

function filesOf({ jobs, results }: Batch): ConvertedFile[] {
  return jobs.map((job, index) => ({ job, result: results?.[index] as FileResult }))
}

interface Thread {
  readonly convert: (jobs: readonly WorkerJob[]) => Promise<readonly FileResult[]>
  /** How many batches it has not answered. */
  readonly open: () => number
  readonly end: () => void
}

/** Answers arrive in the order of the requests. */
function openThread(program: string, workerData: WorkerRules): Thread {
  const worker = new Worker(program, { workerData })
  const open: { resolve: (results: readonly FileResult[]) => void; reject: (error: Error) => void }[] = []
  worker.on('message', (text: string) => {
    const { results }: WorkerResults = JSON.parse(text)
    open.shift()?.resolve(results)
  })
  worker.on('error', (error: Error) => {
    for (const { reject } of open.splice(0)) reject(error)
  })
  return {
    convert: (jobs) =>
      new Promise((resolve, reject) => {
        open.push({ resolve, reject })
        worker.postMessage(jobs)
      }),
    open: () => open.length,
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
    targets: targets.map(({ target: { harness, carrier }, renamedFor: _renamedFor, ...one }) => {
      return { ...one, harness: harness.id, carrier: carrier.id }
    }),
  }
}

function jobFor({ candidate, ...job }: FileJob): WorkerJob {
  return { ...job, candidate: { ...candidate, harness: candidate.harness.id, carrier: candidate.carrier.id } }
}
