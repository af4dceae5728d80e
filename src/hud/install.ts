/** Installs the HUD into a harness and uninstalls it: a program of ours, and items in a settings file. */
import { existsSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exactHash } from '../disk/hash.ts'
import { getNode, isList, isMap, sameData, toData } from '../formats/data.ts'
import { encode } from '../formats/decode.ts'
import { applyEdits } from '../formats/edit/edits.ts'
import { removeJsonValue, setJsonValue } from '../formats/json/edit.ts'
import { parseJson } from '../formats/json/parse.ts'
import type { Harness, HudProgram } from '../harness/schema/harness.ts'
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/range.ts'
import { readTextFile, type TextFile } from '../project/read-text.ts'
import { openRun, type Run } from '../sync/run/run.ts'
import type { RunRefusal } from '../sync/run/troupe-folder.ts'
import { keptOf, type LockEntry, type NewEntry, partKey } from '../workbench/lock-file.ts'

interface HudInstallRequest {
  readonly root: string
  readonly harnesses: readonly Harness[]
  /** What the package ships, by name. */
  readonly program: (ships: string) => Uint8Array
  readonly dryRun: boolean
  /** Also over a file that Troupe did not write. */
  readonly force: boolean
}

export interface HudChange {
  readonly harness: string
  /** Below the root. */
  readonly path: string
  readonly status: 'written' | 'unchanged' | 'edited' | 'removed' | 'failed'
  /** A sentence, where it failed. */
  readonly message?: string
}

type HudOutcome = { readonly changes: readonly HudChange[] } | { readonly refused: RunRefusal }

export function installHud(request: HudInstallRequest): HudOutcome {
  return changeInstallation(request, 'hud install', (run, harness, way) => {
    const { write, ships } = way.program
    const settings = way.settings === undefined ? [] : [addSettings(run, request.root, harness, way.settings)]
    // A program that is never started is of no use.
    if (settings.some(({ status }) => status === 'failed')) return settings
    const bytes = request.program(ships)
    const standing = run.plan(write, bytes)
    run.write(write, bytes, entryFor(harness))
    const program = { path: write, status: standing === 'same' ? ('unchanged' as const) : ('written' as const) }
    return [program, ...settings]
  })
}

export function uninstallHud(request: HudInstallRequest): HudOutcome {
  const outcome = changeInstallation(request, 'hud uninstall', (run, _harness, way) => {
    const { write } = way.program
    const isThere = existsSync(join(request.root, write))
    run.remove(write)
    const program = { path: write, status: isThere ? ('removed' as const) : ('unchanged' as const) }
    return way.settings === undefined ? [program] : [takeSettings(run, request.root, way.settings), program]
  })
  if ('changes' in outcome && !request.dryRun) {
    for (const { path, status } of outcome.changes)
      if (status === 'removed') removeEmpty(join(request.root, dirname(path)))
  }
  return outcome
}

/** A folder that was created for one file. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Something else is in it.
  }
}

/** Whether all of it is in place, as this version of Troupe would install it. */
export function isInstalled(root: string, { program, settings }: HudProgram): boolean {
  if (!existsSync(join(root, program.write))) return false
  if (settings === undefined) return true
  const { text } = readSettings(root, settings.file) ?? { text: '' }
  return addItems(text, settings.items as Items)?.length === 0
}

/** Whether any of it is there, even if a part was removed by hand. */
export function hasTraces(root: string, { program, settings }: HudProgram): boolean {
  if (existsSync(join(root, program.write))) return true
  if (settings === undefined) return false
  const { text } = readSettings(root, settings.file) ?? { text: '' }
  return (removeItems(text, settings.items as Items) ?? text) !== text
}

type Step = Omit<HudChange, 'harness'>

function changeInstallation(
  { root, harnesses, dryRun, force }: HudInstallRequest,
  command: string,
  steps: (run: Run, harness: Harness, way: HudProgram) => Step[],
): HudOutcome {
  const opened = openRun(root, command, { dryRun, force })
  if ('refused' in opened) return opened
  const { run } = opened
  try {
    const changes = harnesses.flatMap((harness) => {
      const { hud } = harness
      if (hud === undefined || 'none' in hud) return []
      return steps(run, harness, hud).map((step): HudChange => ({ harness: harness.id, ...step }))
    })
    const { failed } = run.commit()
    return {
      changes: changes.map((change) => {
        const failure = failed.get(change.path)
        return failure === undefined ? change : { ...change, status: 'failed', message: failure.message }
      }),
    }
  } finally {
    run.abort()
  }
}

function entryFor({ id }: Harness): NewEntry {
  return { source: null, from: null, to: id, sourceHash: null }
}

type SettingsSpec = NonNullable<HudProgram['settings']>

function addSettings(run: Run, root: string, harness: Harness, { file: path, items }: SettingsSpec): Step {
  const file = readSettings(root, path)
  const edits = file === null ? null : addItems(file.text, items as Items)
  if (file === null || edits === null) return uneditable(path)
  if (edits.length === 0) return { path, status: 'unchanged' }
  const bytes = encode(applyEdits(file.text, edits), file.encoding)
  if (!existsSync(join(root, path))) {
    run.write(path, bytes, entryFor(harness))
    return { path, status: 'written' }
  }
  // The edits back, valid until the file is changed.
  const back = reverseEdits(file.text, edits).map(({ range, text }) => [range.start, range.end, text])
  const entry = { ...entryFor(harness), kept: { back } }
  run.edit(path, bytes, [{ key: keyOf(path), entry, hash: exactHash(bytes) }])
  return { path, status: 'edited' }
}

function takeSettings(run: Run, root: string, { file: path, items }: SettingsSpec): Step {
  if (!existsSync(join(root, path))) return { path, status: 'unchanged' }
  if (run.plan(path, null) === 'ours') {
    run.remove(path)
    return { path, status: 'removed' }
  }
  const file = readSettings(root, path)
  if (file === null) return uneditable(path)
  const text = textBefore(file, run.owned.get(keyOf(path))) ?? removeItems(file.text, items as Items)
  if (text === null) return uneditable(path)
  // No file has this name: this only removes the entry from the lock file.
  run.remove(keyOf(path))
  if (text === file.text) return { path, status: 'unchanged' }
  run.edit(path, encode(text, file.encoding))
  return { path, status: 'edited' }
}

function keyOf(path: string): string {
  return partKey(path, ['hud'])
}

/** Null: the file was changed since. */
function textBefore({ text, encoding }: TextFile, entry: LockEntry | undefined): string | null {
  if (entry?.hash !== exactHash(encode(text, encoding))) return null
  const { back } = (keptOf(entry) ?? {}) as { back?: [number, number, string][] }
  return back === undefined
    ? null
    : applyEdits(
        text,
        back.map(([start, end, put]) => ({ range: { start, end }, text: put })),
      )
}

/** Null: it exists, but cannot be read. */
function readSettings(root: string, path: string): TextFile | null {
  if (!existsSync(join(root, path))) return { text: '', encoding: 'utf-8', findings: [] }
  const read = readTextFile(join(root, path), path)
  return 'file' in read ? read.file : null
}

function uneditable(path: string): Step {
  return {
    path,
    status: 'failed',
    message: 'The file was not changed: it is not valid JSON, or it has something else where a list is expected.',
  }
}

/** By the path of keys to the list, joined with dots. */
type Items = Readonly<Record<string, Json>>

/** Null: the file cannot be edited safely. No edits: everything is already there. */
export function addItems(text: string, items: Items): Edit[] | null {
  const { root, findings } = parseJson(text, { comments: true })
  const isBroken = findings.some(({ code }) => code === 'invalid-json')
  if (isBroken && text.trim() !== '') return null
  const [top = ''] = Object.keys(items).map((way) => way.split('.')[0] ?? '')
  const before = getNode(root, [top])
  if (before !== undefined && !isMap(before)) return null
  // Spread, not assigned: `__proto__` is a key like any other.
  const wanted: Record<string, Json> = { ...(before === undefined ? {} : (toData(before) as Record<string, Json>)) }
  let added = 0
  for (const [way, item] of Object.entries(items)) {
    const [first, key = '', ...rest] = way.split('.')
    if (first !== top || rest.length > 0) return null
    const found = getNode(root, [top, key])
    if (found !== undefined && !isList(found)) return null
    const list = found === undefined ? [] : (toData(found) as Json[])
    if (list.some((one) => sameData(one, item))) continue
    wanted[key] = [...list, item]
    added++
  }
  // One edit for all, at their common place.
  return added === 0 ? [] : setJsonValue(text, [top], wanted)
}

/** The text without the items; lists and maps that become empty are removed too. */
export function removeItems(text: string, items: Items): string | null {
  let result = text
  for (const [way, item] of Object.entries(items)) {
    const path = way.split('.')
    const found = getNode(parseJson(result, { comments: true }).root, path)
    if (!isList(found)) continue
    const left = (toData(found) as Json[]).filter((one) => !sameData(one, item))
    if (left.length === found.items.length) continue
    const edits = left.length === 0 ? removeJsonValue(result, path) : setJsonValue(result, path, left)
    if (edits === null) return null
    result = withoutEmpty(applyEdits(result, edits), path.slice(0, -1))
  }
  return result
}

function withoutEmpty(text: string, path: readonly string[]): string {
  const found = path.length === 0 ? undefined : getNode(parseJson(text, { comments: true }).root, path)
  if (!isMap(found) || found.entries.length > 0) return text
  return applyEdits(text, removeJsonValue(text, path) ?? [])
}

/** Edits that turn the changed text back into the previous one. */
export function reverseEdits(text: string, edits: readonly Edit[]): Edit[] {
  let shift = 0
  return [...edits]
    .sort((a, b) => a.range.start - b.range.start)
    .map(({ range, text: put }) => {
      const start = range.start + shift
      shift += put.length - (range.end - range.start)
      return { range: { start, end: start + put.length }, text: text.slice(range.start, range.end) }
    })
}
