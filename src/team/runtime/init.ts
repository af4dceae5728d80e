/**
 * Creates a workplace: the missing folders and files. In an existing one, unedited starter agents are updated with the
 * project; everything else is unchanged.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { openConfigFile } from '../../sync/convert/config-file.ts'
import { chatEnd } from '../engine/chat-cursor.ts'
import { batchLine } from '../engine/journal-format.ts'
import { workplacePaths } from '../engine/paths.ts'
import { ignorePatterns, parseWorkplaceConfig, type WorkplaceConfig } from '../state/config.ts'
import { JOURNAL_FORMAT, type JournalRecord } from '../state/records.ts'
import { idleEntry } from '../state/status.ts'
import { WorkplaceError } from './open.ts'
import { detectProjectKind } from './project-kind.ts'
import { type InitChanges, kernelText, starterAgents, writeStarterAgents } from './starter-agents.ts'
import { saveTree, scanTree } from './structure.ts'

export interface InitOptions {
  /** Null: unchanged, or derived from the folder. */
  readonly name: string | null
  readonly description: string | null
  /** The names of agents from other dialects: with any, no agents are suggested. */
  readonly others: readonly string[]
}

/** Files that belong to this machine, or can be regenerated. */
const gitignoreText = '/run/\n/chat.md\n/process-status.json\n/structure.json\n/tasks.jsonl\n'

const chatHead = `# Chat

<!-- [sender-to-recipient]: text   Add your own lines at the end; better: troupe work send. This comment is never run. -->

`

export type InitResult = InitChanges

export function initWorkplace(root: string, { name, description, others }: InitOptions): InitResult {
  const places = workplacePaths(root)
  const made: string[] = []
  const folder = (path: string) => {
    // A folder that came with a project could be a link to anywhere.
    const known = lstatSync(path, { throwIfNoEntry: false })
    if (known === undefined) mkdirSync(path, { recursive: true })
    else if (!known.isDirectory())
      throw new WorkplaceError(
        `${relative(root, path)} is not a folder, so Troupe does not write there.`,
        'Replace it with a folder, or remove it.',
      )
  }
  const put = (path: string, text: string) => {
    if (existsSync(path)) return
    writeFileSync(path, text, { flag: 'wx' })
    made.push(relative(root, path))
  }
  for (const path of [
    places.folder,
    places.agents,
    places.deploy,
    join(places.folder, 'memory'),
    places.run,
    places.inbox,
    places.claims,
    places.runs,
  ])
    folder(path)
  const isNew = !existsSync(places.config)
  const kind = detectProjectKind({
    has: (file) => existsSync(join(root, file)),
    read: (file) => readSmallText(join(root, file)),
  })
  put(join(places.folder, '.gitignore'), gitignoreText)
  const suggested = others.length > 0 ? [] : starterAgents(kind)
  if (isNew) put(join(places.agents, 'kernel.md'), kernelText)
  const before = knownConfig(places.config)
  const written = writeStarterAgents(places, suggested, before?.agents ?? [])
  for (const place of ['deploy', 'memory']) put(join(places.folder, place, '.gitkeep'), '')
  put(places.chat, chatHead)
  const names = ['kernel', ...suggested.map(([file]) => file.replace(/\.md$/, '')), ...others]
  const config: WorkplaceConfig = {
    uuid: before?.uuid ?? randomUUID(),
    name: name ?? basename(root),
    path: root,
    hostname: hostname(),
    created: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    description: description ?? '',
    language: kind.language,
    framework: kind.framework,
    agents: [...new Set(names)],
    settings: { ignorePatterns },
  }
  // The journal before the configuration: a workplace that can be found can also be run.
  const opening: JournalRecord[] = [
    { t: 'open', format: JOURNAL_FORMAT, uuid: config.uuid, at: Date.now() },
    { t: 'read', cursor: chatEnd(places) },
  ]
  put(places.journal, batchLine(0, opening))
  const server = { status: 'stopped', pid: null, startedAt: null, lastEvent: null, error: null }
  put(
    places.status,
    `${JSON.stringify({ server, ...Object.fromEntries(config.agents.map((agent) => [agent, idleEntry])) }, null, 2)}\n`,
  )
  if (saveTree(places.structure, scanTree(root, ignorePatterns)) && isNew) made.push(relative(root, places.structure))
  put(places.config, `${JSON.stringify(config, null, 2)}\n`)
  const changed = isNew ? [] : changeConfig(root, { name, description })
  return {
    made: [...made, ...written.made],
    changed: [...written.changed, ...changed],
    left: written.left,
  }
}

/** Updates the configuration of an existing workplace. */
function changeConfig(root: string, said: Pick<InitOptions, 'name' | 'description'>): string[] {
  const path = relative(root, workplacePaths(root).config)
  const file = openConfigFile(root, path)
  if (file === null) return []
  for (const [key, value] of Object.entries(said)) if (value !== null) file.set({ file: path, path: [key], value })
  const text = file.text()
  if (text === file.file.text) return []
  writeAtomically(join(root, path), text)
  return [path]
}

/** Of an existing workplace; null if there is none, or it is unreadable. */
function knownConfig(path: string): Pick<WorkplaceConfig, 'uuid' | 'agents'> | null {
  const text = readSmallText(path)
  const read = text === null ? null : parseWorkplaceConfig(text)
  return read !== null && 'config' in read ? read.config : null
}

function readSmallText(path: string): string | null {
  try {
    return lstatSync(path).size > 1024 * 1024 ? null : readRegularText(path)
  } catch {
    return null
  }
}
