/** Converts the skills of a project for one target, and writes each with everything beside it, or nothing of it. */
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { policyOf } from '../../convert/gaps.ts'
import { convertSkill } from '../../convert/skill/convert-skill.ts'
import { skillNameFor, slugOf } from '../../convert/skill/keys.ts'
import type { ConvertedSkill, SkillSource } from '../../convert/skill/plan.ts'
import { parseKeptSkill } from '../../convert/skill/restore.ts'
import { contentHash } from '../../disk/hash.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import { realPathOrNull } from '../../disk/roots.ts'
import { encode } from '../../formats/decode.ts'
import { readSkill } from '../../harness/read/skills.ts'
import { type ComponentConversion, outcomeFor } from '../../model/component.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { limits } from '../../model/limits.ts'
import { readTextFile, readTextOrNull } from '../../project/read-text.ts'
import { pathFinder } from '../../project/references.ts'
import type { FoundComponent } from '../../workbench/components.ts'
import { keptOf, type NewEntry } from '../../workbench/lock-file.ts'
import { whyForbidden } from '../run/destination.ts'
import type { ConversionContext, TargetContext } from './context.ts'
import { driftOf } from './write-output.ts'

/** A skill with its place in the target. */
interface PlacedSkill {
  readonly one: FoundComponent
  readonly name: string
  /** Its SKILL.md there, below the output root. */
  readonly path: string
}

export function convertSkills(
  work: ConversionContext,
  target: TargetContext,
  skills: readonly FoundComponent[],
): ComponentConversion[] {
  const { harness } = target.target
  const write = harness.skills?.write
  if (write === undefined) {
    const reason = `${harness.title} has no place for skills.`
    return skills.map((one) => ({ ...outcomeFor(one, harness.id), status: 'left', reason }))
  }
  const placed = placeSkills(work, target, write, skills)
  const claims = new Map<string, PlacedSkill[]>()
  for (const one of placed) claims.set(claimOf(one), [...(claims.get(claimOf(one)) ?? []), one])
  return placed.map((one) => {
    const others = (claims.get(claimOf(one)) ?? []).filter((other) => other !== one)
    if (others.length === 0) return convertOne(work, target, one)
    const paths = [one, ...others].map((same) => same.one.path).sort()
    const message = `${paths.join(' and ')} would ${paths.length > 2 ? 'all' : 'both'} become ${one.path}.`
    return failed(one, target, {
      ...fileProblem('same-output', one.one.path, message),
      hint: 'Rename one of the skills.',
    })
  })
}

/** `Deploy` and `deploy` are one folder on some systems. */
function claimOf({ path }: PlacedSkill): string {
  return path.normalize('NFC').toLowerCase()
}

/** Their own names, with that of their plugin where two would be the same. */
function placeSkills(
  work: ConversionContext,
  { target: { harness } }: TargetContext,
  write: string,
  skills: readonly FoundComponent[],
): PlacedSkill[] {
  const folderOf = (one: FoundComponent) =>
    slugOf(formerFolder(work, one, write) ?? basename(dirname(one.file.absolute)))
  const counts = new Map<string, number>()
  for (const one of skills) {
    const key = folderOf(one).toLowerCase()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return skills.map((one) => {
    const own = folderOf(one)
    const isApart = one.plugin !== null && (counts.get(own.toLowerCase()) ?? 0) > 1
    const folder = isApart ? slugOf(`${one.plugin}-${own}`) : own
    const { skill } = readSkill(sourceOf(work, one))
    const name = skillNameFor(harness.skills, isApart ? folder : (skill.named ?? folder))
    const path = write.replace('{name}', () => (folder === '' ? 'skill' : folder))
    return { one, name: name === '' ? 'skill' : name, path }
  })
}

/** A skill that was written from one of the target's goes back to where that was. */
function formerFolder({ run, below }: ConversionContext, { file }: FoundComponent, write: string): string | null {
  const source = run.owned.get(below(file.absolute))?.source ?? null
  const folder = source === null ? '' : basename(dirname(source))
  return write.replace('{name}', () => folder) === source ? folder : null
}

function sourceOf(
  { request, show }: Pick<ConversionContext, 'request' | 'show'>,
  { file }: FoundComponent,
): SkillSource {
  const folder = dirname(file.absolute)
  const known = new Set(file.beside)
  return {
    registry: request.registry,
    harness: file.place.harness,
    text: file.text,
    folder: basename(folder),
    from: dirname(file.plugin === null ? file.relative : show(file.absolute)),
    beside: (path) => (known.has(join(folder, path)) ? readTextOrNull(join(folder, path)) : null),
  }
}

function convert(work: ConversionContext, target: TargetContext, { one, name, path }: PlacedSkill): ConvertedSkill {
  const { request, run, below } = work
  const entry = run.owned.get(below(one.file.absolute))
  // Only a file in the target's own place can be one of its skills.
  const former = formerFolder(work, one, target.target.harness.skills?.write ?? '')
  const original = former === null ? null : readTextOrNull(join(request.out, entry?.source ?? ''))
  return convertSkill(sourceOf(work, one), {
    target: target.target.harness,
    name,
    place: dirname(path),
    renamed: target.naming.renamedFor(one.plugin ?? undefined),
    policy: policyOf(target.decisions),
    models: target.models,
    isThere: pathFinder(request.out, request.onRead),
    kept: parseKeptSkill(keptOf(entry)),
    original,
  })
}

/** What a target that reads a skill as it is will not understand in it. */
export function notesOnWords(work: ConversionContext, one: FoundComponent, target: TargetContext): Diagnostic[] {
  const { harness } = target.target
  if (harness.id === one.file.place.harness.id) return []
  const path = one.file.path
  const { skill } = readSkill(sourceOf(work, one))
  const { edits, gains } = convert(work, target, { one, name: skill.named ?? skill.name, path: one.file.relative })
  const words = [...new Set(edits.map(({ from, to }) => `"${from}" (${to === '' ? 'nothing' : to})`))]
  const some = words.slice(0, 5).join(', ') + (words.length > 5 ? ` and ${words.length - 5} more` : '')
  const line = edits[0]?.line ?? 1
  const named = `It names ${some}: words of ${one.file.place.harness.title}. --copy writes a copy for ${harness.title}.`
  return [
    ...(words.length === 0 ? [] : [{ ...fileProblem('other-words', path, named), line }]),
    ...gains.map((gain) => ({
      ...fileProblem('not-enforced', path, `In ${harness.title}, ${gain}: it reads this skill as it is.`),
      severity: 'warning' as const,
    })),
  ]
}

interface PlannedFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly source: string
  readonly sourceHash: string
  readonly isProgram: boolean
  readonly kept?: object
}

function convertOne(work: ConversionContext, target: TargetContext, placed: PlacedSkill): ComponentConversion {
  const { one, name, path } = placed
  const { run, request } = work
  const { harness } = target.target
  const isMore = one.diagnostics.find(({ code }) => code === 'file-too-large')
  if (isMore !== undefined) return failed(placed, target, isMore)
  const made = convert(work, target, placed)
  if (made.problem !== null) return failed(placed, target, fileProblem('not-read-back', one.path, made.problem))
  const { features, gaps, edits, fidelity, gains } = made
  const outcome = { ...outcomeFor(one, harness.id), converted: { features, gaps, edits, fidelity } }
  if (gains.length > 0 && !request.accepted(harness).all) {
    const message = `"${one.name}" would do more in ${harness.title}: ${gains.join('; ')}.`
    const problem = { ...fileProblem('wider-access', one.path, message), hint: 'Accept it with --allow-widening.' }
    for (const claimed of ownedIn(work, path)) work.refused.add(claimed)
    // The same for all skills that would do more in the same way.
    const reason = `In ${harness.title}, ${gains.join('; ')}. ${problem.hint}`
    return { ...outcome, status: 'refused', reason, diagnostics: [...one.diagnostics, problem] }
  }
  const files = plannedFiles(work, placed, made)
  if ('problem' in files) return failed(placed, target, files.problem)
  const states = files.map((file) => ({ file, state: run.plan(file.path, file.bytes) }))
  for (const { file, state } of states) {
    work.claimed.add(file.path)
    const kind =
      state === 'ours' && run.owned.get(file.path)?.sourceHash === file.sourceHash ? 'rules-changed' : driftOf[state]
    if (state !== 'same')
      request.onDrift?.({ kind, path: file.path, source: file.source, agent: name, target: harness.id }, null)
  }
  const forceOf = ({ file, state }: (typeof states)[number]) =>
    (state === 'hand-edited' ? request.overwrites?.(file.path) : undefined) ?? request.force
  const barred = states.find((each) => whyForbidden(each.state, forceOf(each)) !== null)
  const source = ownSource(work, one, path)
  if (source !== null) return failed(placed, target, source)
  if (barred !== undefined) {
    const why = whyForbidden(barred.state, forceOf(barred))
    return failed(placed, target, fileProblem('not-written', barred.file.path, `Not written: ${why}.`))
  }
  for (const each of states) {
    const { file, state } = each
    // A file of the user's that happens to be the same stays the user's.
    if (state === 'same' && !run.owned.has(file.path)) continue
    const entry: NewEntry = {
      source: file.source,
      from: one.file.place.harness.id,
      to: harness.id,
      sourceHash: file.sourceHash,
      ...(file.kept === undefined ? {} : { kept: file.kept }),
    }
    run.write(file.path, file.bytes, entry, forceOf(each), undefined, file.isProgram)
  }
  run.flush()
  const broken = files.flatMap((file) => run.failed.get(file.path) ?? [])[0]
  if (broken !== undefined) return failed(placed, target, fileProblem('not-written', path, broken.message))
  const isThere = states.every(({ state }) => state === 'same')
  return {
    ...outcome,
    target: { harness: harness.id, name, files: files.map((file) => file.path) },
    status: isThere ? 'unchanged' : request.dryRun ? 'planned' : 'written',
    reason: null,
  }
}

function failed({ one }: PlacedSkill, { target }: TargetContext, problem: Diagnostic): ComponentConversion {
  const diagnostics = [...one.diagnostics.filter((known) => known !== problem), problem]
  return { ...outcomeFor(one, target.harness.id), status: 'failed', reason: problem.message, diagnostics }
}

/** What earlier runs wrote into the folder. */
function ownedIn({ run }: ConversionContext, path: string): string[] {
  return [...run.owned.keys()].filter((key) => key.startsWith(`${dirname(path)}/`))
}

/** A link may lead from the target's folder to the source's. */
function ownSource({ request }: ConversionContext, { file }: FoundComponent, path: string): Diagnostic | null {
  const real = realPathOrNull(join(request.out, dirname(path)))
  if (real === null || real !== realPathOrNull(dirname(file.absolute))) return null
  const hint = 'Remove the link that points there, or write to another folder with --out DIR.'
  return { ...fileProblem('not-written', path, 'Not written: the file is also a source.'), hint }
}

/** Everything that belongs to it, byte for byte but for SKILL.md. */
function plannedFiles(
  { run, below }: ConversionContext,
  { one, path }: PlacedSkill,
  { text, files, kept, isRestored }: ConvertedSkill,
): PlannedFile[] | { readonly problem: Diagnostic } {
  const { absolute, beside } = one.file
  const place = below(absolute)
  const planned: PlannedFile[] = []
  const read = readTextFile(absolute, one.path)
  if ('problem' in read) return read
  const sourceHash = contentHash(encode(read.file.text, read.file.encoding))
  const said = { source: place, sourceHash, isProgram: false }
  planned.push({ ...said, path, bytes: encode(text, read.file.encoding), ...(kept === null ? {} : { kept }) })
  for (const [name, content] of files)
    planned.push({ ...said, path: `${dirname(path)}/${name}`, bytes: encode(content, 'utf-8') })
  const former = isRestored ? run.owned.get(place)?.source : undefined
  let size = 0
  for (const file of beside) {
    if (file === absolute) continue
    const from = below(file)
    // What was added for the other harness is not part of the original.
    if (former !== undefined && run.owned.get(from)?.source === former) continue
    try {
      const bytes = readRegularFile(file, { most: limits.skillBytes - size })
      size += bytes.length
      const isProgram = (statSync(file).mode & 0o100) !== 0
      const to = `${dirname(path)}/${file.slice(dirname(absolute).length + 1)}`
      planned.push({ path: to, bytes, source: from, sourceHash: contentHash(bytes), isProgram })
    } catch {
      const message = `${basename(file)} cannot be copied: it is not a regular file, or the skill has more than ${limits.skillBytes / 1024 / 1024} MB.`
      return { problem: fileProblem('file-too-large', one.path, message) }
    }
  }
  return planned
}
