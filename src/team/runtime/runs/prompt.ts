/** The input of a member's program: prompt, task, environment variables. */

import { type Dirent, readdirSync } from 'node:fs'
import { delimiter, extname, join } from 'node:path'
import { readRegularText } from '../../../disk/read-file.ts'
import type { Engine } from '../../engine/engine.ts'
import type { WorkplacePaths } from '../../engine/paths.ts'
import { summarizeTree } from '../../state/config.ts'
import type { Handoff } from '../../state/handoff.ts'
import { type FolderInfo, nudgePrompt, systemPrompt, taskPrompt } from '../../state/prompt.ts'
import type { Member } from '../../state/roster.ts'
import type { ActiveRuns } from './active.ts'

interface PromptFolder extends FolderInfo {
  readonly path: string
}

export function memberPrompt(
  { engine, around }: ActiveRuns,
  handoff: Handoff,
  member: Member,
  folder: PromptFolder,
): string {
  const { name, uuid } = engine.workplace.config
  const place = {
    name,
    uuid,
    path: folder.path,
    structure: summarizeTree(around.tree()),
    deploy: deployInfo(engine.workplace.places),
  }
  const task = handoffTask(engine, handoff, folder)
  const work = handoff.nudged ? nudgePrompt(member, handoff.words, task) : task
  return `${systemPrompt(member, place)}\n${work}`
}

/** The handoff, with the conversation so far; a further attempt also gets what the previous one sent. */
export function handoffTask({ state }: Engine, handoff: Handoff, folder: FolderInfo): string {
  const messages = [...state.messages.values()].filter(({ chain, id }) => chain === handoff.chain && id !== handoff.id)
  const sent =
    handoff.attempt === 1
      ? []
      : messages.filter(({ parent, answers }) => parent === handoff.id || answers === handoff.id)
  const ids = new Set([...handoff.watched, ...(state.unseen.get(handoff.to) ?? [])])
  const watched = [...ids].flatMap((id) => state.messages.get(id) ?? []).filter(({ chain }) => chain !== handoff.chain)
  return taskPrompt({ handoff, conversation: messages, sent, watched }, folder)
}

/** The user's own environment, plus the program's identity; `troupe` itself is on the path. */
export function memberEnvironment(
  { workplace }: Engine,
  run: string,
  { to, id, attempt }: Pick<Handoff, 'to' | 'id' | 'attempt'>,
): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...Object.fromEntries(own),
    PATH: [workplace.bin, process.env.PATH ?? '/usr/bin:/bin'].filter((one) => one !== null).join(delimiter),
    TROUPE_WORKPLACE: workplace.places.root,
    TROUPE_AGENT: to,
    TROUPE_HANDOFF: id,
    TROUPE_ATTEMPT: String(attempt),
    TROUPE_RUN: run,
  }
}

/** The number of files named, characters of one text and of all, and bytes of a file that is read. */
const FILE_LIMIT = 40
const TEXT_LIMIT = 2000
const TOTAL_LIMIT = 6000
const READ_LIMIT = 256 * 1024

/** Files with such names may hold keys, tokens or passwords. */
const secretNames =
  /(^|[._-])(env|secrets?|credentials?|passwords?|passwd|tokens?|keys?|rsa|dsa|ecdsa|ed25519|kubeconfig)([._-]|$)|\.(pem|p12|pfx|jks|keystore|crt|cer|der|asc|gpg|kdbx|tfstate|tfvars)$/i
const secretTexts =
  /-----BEGIN [A-Z ]*(PRIVATE KEY|MESSAGE)|^\s*(export )?\w*(PASSWORD|SECRET|TOKEN|API_?KEY)\w*\s*[=:]\s*\S|\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|sk-[\w-]{20,}|xox[abp]-\w{10,})/im

/** Null if there is nothing to report. */
export function deployInfo({ deploy }: Pick<WorkplacePaths, 'deploy'>): string | null {
  const files = filesIn(deploy)
  if (files.length === 0) return null
  const lines = files.slice(0, FILE_LIMIT).map((name) => `- ${name}`)
  if (files.length > FILE_LIMIT) lines.push(`- and ${files.length - FILE_LIMIT} more`)
  let room = TOTAL_LIMIT
  for (const name of files.slice(0, FILE_LIMIT)) {
    const text = ['.md', '.txt'].includes(extname(name).toLowerCase()) ? textOf(join(deploy, name)) : ''
    if (text === '' || room <= 0) continue
    const most = Math.min(TEXT_LIMIT, room)
    lines.push('', `${name}:`, text.length > most ? `${text.slice(0, most).trimEnd()} \u2026` : text)
    room -= Math.min(text.length, most)
  }
  return lines.join('\n')
}

/** Links are not followed. */
function filesIn(folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !secretNames.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

function textOf(path: string): string {
  try {
    const text = readRegularText(path, { most: READ_LIMIT }).trim()
    return secretTexts.test(text) ? '' : text
  } catch {
    return ''
  }
}
