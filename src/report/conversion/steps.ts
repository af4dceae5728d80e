/** What is left to do after a conversion, in sentences with quotes: required actions, recommended checks, what the target needs. */
import type { Conversion } from '../../model/conversion.ts'
import { type Block, listOf, paragraph, section } from '../document.ts'
import { cut, joinList, oneLine, plural, quote, quoteSome, sentence } from '../layout.ts'
import { affectedAgents, groupGaps } from './gaps.ts'
import { isConverted, type MigrationRun, type TargetPart } from './run.ts'
import { groupRefusals, type RefusedGain } from './tally.ts'

/** More of one kind do not fit a list to work through. */
const MOST = 50

export function stepBlocks(run: MigrationRun, part: TargetPart): Block[] {
  const required = requiredActions(part, run)
  return [
    ...section('Required Actions', required.length === 0 ? [paragraph('None.', 'note')] : listOf(required, 'tasks')),
    ...section('Recommended Verifications', listOf(recommendedChecks(part), 'tasks')),
    ...section('Platform Setup', listOf(platformSetup(part, run))),
  ]
}

function requiredActions(part: TargetPart, run: MigrationRun): string[] {
  // Shared problems are reported once.
  const isFirst = run.conversions[0]?.target.harness === part.id
  return [
    ...some(refusedSteps(part), 'reasons'),
    ...(isFirst ? fileProblems(run) : []),
    ...some(todoSteps(part), 'gaps'),
    ...some(configSteps(part), 'files'),
  ]
}

/** Errors that belong to no agent. */
export function fileProblems({ diagnostics = [] }: MigrationRun): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return some(
    errors.map(({ path, message, hint }) => `${quote(path)}: ${sentence(message)} ${hint ?? ''}`.trimEnd()),
    'file problems',
  )
}

function some(steps: readonly string[], kind: string): string[] {
  if (steps.length <= MOST) return [...steps]
  return [...steps.slice(0, MOST), `... and ${steps.length - MOST} more ${kind}; \`--json\` lists them all.`]
}

function refusedSteps({ conversions }: TargetPart): string[] {
  return groupRefusals(conversions).map((group) => {
    const { status, reason, hint, agents, gains } = group
    const what = `${plural(agents, 'agent')} ${agents === 1 ? 'was' : 'were'} ${status === 'refused' ? 'refused' : 'not written'}`
    const capabilities = [...new Set(gains.flatMap((one) => one.capabilities))]
    const messages = capabilities.length > 0 ? [] : group.messages
    const why = messages.length > 0 ? messages.map(sentence).join(' ') : sentence(reason)
    return `${what}: ${whoGains(gains, capabilities)} ${why} ${hint ?? ''}`.trimEnd()
  })
}

/** Each with what it would gain, while that is readable. */
function whoGains(gains: readonly RefusedGain[], capabilities: readonly string[]): string {
  if (gains.length <= 2) return `${gains.map(gainText).join('; ')}.`
  const names = gains.flatMap((one) => one.names)
  return `${quoteSome(names, 5)}. They would gain ${joinList(capabilities.map((one) => quote(one)))}.`
}

function gainText({ capabilities, names, agents }: RefusedGain): string {
  const who = names.length < agents ? `${quoteSome(names.slice(0, 3))} (${agents} in all)` : quoteSome(names, 5)
  return capabilities.length === 0 ? who : `${joinList(capabilities.map((one) => quote(one)))} for ${who}`
}

function todoSteps({ conversions }: TargetPart): string[] {
  const arrived = conversions.filter(isConverted)
  return groupGaps(arrived).flatMap((group) => {
    const left = group.members.filter(({ resolution }) => resolution === 'todo')
    if (left.length === 0) return []
    const names = affectedAgents({ ...group, members: left })
    const help = group.workaround === null ? '' : ` (${clause(group.workaround, 200)})`
    return [`Finish ${quote(group.feature)} in ${quoteSome(names)}: ${clause(group.reason, 240)}${help}.`]
  })
}

/** A sentence to be embedded in another. */
function clause(words: string, width: number): string {
  return cut(oneLine(words).replace(/\.$/, ''), width)
}

function configSteps({ conversions }: TargetPart): string[] {
  const files = new Map<string, { set: Set<string>; missed: Set<string> }>()
  for (const conversion of conversions.filter(isConverted)) {
    for (const { path, set } of conversion.config) {
      const file = files.get(path) ?? { set: new Set(), missed: new Set() }
      const isMissed = conversion.diagnostics.some((one) => one.code === 'config-not-edited' && one.path === path)
      for (const key of Object.keys(set)) (isMissed ? file.missed : file.set).add(key)
      files.set(path, file)
    }
  }
  const isPlanned = conversions.some(({ status }) => status === 'planned')
  return [...files].flatMap(([path, { set, missed }]) => [
    ...(missed.size === 0
      ? []
      : [`Add these to ${quote(path)} by hand, because Troupe could not edit it: ${quoteSome([...missed], 12)}.`]),
    ...(set.size === 0
      ? []
      : [`Review ${quote(path)}: ${isPlanned ? 'Troupe will set' : 'Troupe set'} ${quoteSome([...set], 12)}.`]),
  ])
}

function recommendedChecks({ id, title, conversions }: TargetPart): string[] {
  const arrived = conversions.filter(isConverted)
  if (arrived.length === 0) return []
  const count = (test: (conversion: Conversion) => boolean) => arrived.filter(test)
  const edited = count(({ edits }) => edits.length > 0)
  const places = edited.reduce((sum, { edits }) => sum + edits.length, 0)
  const weak = count(({ fidelity }) => fidelity.band !== 'green')
  const unasked = count(({ access }) => access.unasked.length > 0)
  const narrowed = count(({ access }) => access.narrowed.length > 0)
  const unenforced = count(({ access }) => access.enforced === 'no')
  const names = (some: readonly Conversion[]) => quoteSome(some.map(({ name }) => name))
  return [
    `Load the agents with the real program: \`troupe verify --harness ${id}\`.`,
    `Check the output for problems: \`troupe check --harness ${id}\`.`,
    ...(edited.length === 0
      ? []
      : [`Review the ${plural(places, 'place')} where a prompt was changed, in ${names(edited)}.`]),
    ...(weak.length === 0 ? [] : [`Test the agents below 80 %: ${names(weak)}.`]),
    ...(unasked.length === 0
      ? []
      : [`Decide whether ${names(unasked)} may act without asking in ${title}. \`--keep-asking\` makes them ask.`]),
    ...(narrowed.length === 0 ? [] : [`Check that ${names(narrowed)} can still do their work: they lost some access.`]),
    ...(unenforced.length === 0
      ? []
      : [`Do not rely on the restrictions of ${names(unenforced)}: ${title} does not enforce them.`]),
  ]
}

function platformSetup({ id, title }: TargetPart, { setup }: MigrationRun): string[] {
  return (setup?.[id] ?? []).map((note) => `${title} loads the agents of a project only when ${sentence(note)}`)
}

/** Capabilities that agents gained with consent, with the reason if given. */
export function acceptedGains({ id, conversions }: TargetPart, { accepted = [] }: MigrationRun): string[] {
  const gained = new Map<string, string[]>()
  for (const conversion of conversions.filter(isConverted)) {
    for (const capability of new Set(conversion.access.widened.map((one) => one.capability))) {
      const names = gained.get(capability)
      if (names === undefined) gained.set(capability, [conversion.name])
      else names.push(conversion.name)
    }
  }
  return [...gained].map(([capability, names]) => {
    const reason = accepted.find((one) => one.target === id && [capability, '*'].includes(one.capability))?.reason
    const why = reason === undefined || reason === null ? 'no reason given' : sentence(reason).replace(/\.$/, '')
    return `${quote(capability)} for ${quoteSome(names)}: ${why}.`
  })
}
