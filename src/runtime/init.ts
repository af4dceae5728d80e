/** A new workplace: folders and files that are not there yet; nothing that is there is touched. */
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { WorkplaceConfig } from '../workplace/config.ts'
import { FORMAT } from '../workplace/records.ts'
import { idleEntry } from '../workplace/status.ts'
import { ignorePatterns } from '../workplace/structure.ts'
import { kernelText, kindOfProject, suggestedAgents } from '../workplace/suggestions.ts'
import { endOfChat } from './chat-reader.ts'
import { placesOf } from './places.ts'
import { saveTree, scanTree } from './structure-file.ts'

export interface InitOptions {
  readonly name: string | null
  readonly description: string
  /** The names of agents that other dialects bring: then none are suggested. */
  readonly others: readonly string[]
}

/** What belongs to this machine, and what can be made again. */
const ignored = '/run/\n/chat.md\n/process-status.json\n/structure.json\n/tasks.jsonl\n'

const chatHead = `# Chat

<!-- [sender-to-recipient]: text   Lines of your own go to the end; better: troupe work send. Nothing here is ever run. -->

`

/** The paths that were made, from the root. */
export function initWorkplace(root: string, { name, description, others }: InitOptions): string[] {
  const places = placesOf(root)
  const made: string[] = []
  const folder = (path: string) => {
    mkdirSync(path, { recursive: true })
    // A folder that came with a project could be a link to anywhere.
    if (!lstatSync(path).isDirectory())
      throw new Error(`${relative(root, path)} is a link, and Troupe writes only into a folder of its own`)
  }
  const put = (path: string, text: string) => {
    if (existsSync(path)) return
    writeFileSync(path, text, { flag: 'wx' })
    made.push(relative(root, path))
  }
  for (const path of [
    places.folder,
    places.agents,
    join(places.folder, 'deploy'),
    join(places.folder, 'memory'),
    places.run,
    places.inbox,
    places.claims,
    places.runs,
  ])
    folder(path)
  const kind = kindOfProject((file) => readQuietly(join(root, file)))
  put(join(places.folder, '.gitignore'), ignored)
  put(join(places.agents, 'kernel.md'), kernelText)
  const suggested = others.length > 0 ? [] : suggestedAgents(kind)
  for (const [file, text] of suggested) put(join(places.agents, file), text)
  for (const place of ['deploy', 'memory']) put(join(places.folder, place, '.gitkeep'), '')
  put(places.chat, chatHead)
  const names = ['kernel', ...suggested.map(([file]) => file.replace(/\.md$/, '')), ...others]
  const config: WorkplaceConfig = {
    uuid: randomUUID(),
    name: name ?? basename(root),
    path: root,
    hostname: hostname(),
    created: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    description,
    language: kind.language,
    framework: kind.framework,
    agents: [...new Set(names)],
    settings: { ignorePatterns },
  }
  // The journal before the configuration: a workplace that can be found can also be run.
  const opening = [
    { t: 'open', format: FORMAT, uuid: config.uuid, at: Date.now() },
    { t: 'read', cursor: endOfChat(places.chat) },
  ]
  put(places.journal, `${opening.map((record) => JSON.stringify(record)).join('\n')}\n`)
  const server = { status: 'stopped', pid: null, startedAt: null, lastEvent: null, error: null }
  put(
    places.status,
    `${JSON.stringify({ server, ...Object.fromEntries(config.agents.map((agent) => [agent, idleEntry])) }, null, 2)}\n`,
  )
  if (saveTree(places.structure, scanTree(root, ignorePatterns))) made.push(relative(root, places.structure))
  put(places.config, `${JSON.stringify(config, null, 2)}\n`)
  return made
}

function readQuietly(path: string): string | null {
  try {
    return lstatSync(path).size > 1024 * 1024 ? null : readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
