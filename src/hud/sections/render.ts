/** Renders the whole HUD as text: which sections are shown, how much of each, in which order. Deterministic. */
import { globMatches } from '../../model/access/glob.ts'
import { completeData, exactData, type HudData } from './context-usage.ts'
import { byPriority, type HudSection, sourceKey } from './section.ts'
import { BUDGET, cutAtLine, lengthOf, quartersOf, tokensOf } from './size.ts'
import { evaluate, fillTemplate, isTrue, MOST_STEPS } from './template/fill.ts'
import { sanitizeText } from './template/formats.ts'

export interface HudRequest {
  readonly sections: readonly HudSection[]
  readonly data: HudData
  /** Values of the sources that sections define themselves, by `sourceKey`. */
  readonly extra?: ReadonlyMap<string, unknown>
  /** Null: unknown; then only sections for all agents are shown. */
  readonly agent: string | null
  /** `prompt`: what is part of every prompt; `demand`: what is shown on request. */
  readonly purpose: 'prompt' | 'demand'
  readonly budget?: number
  /** In seconds, for texts that are refreshed after an interval. */
  readonly now?: number
  /** What was shown before, by section. */
  readonly kept?: ReadonlyMap<string, KeptText>
}

export interface KeptText {
  readonly text: string
  readonly at: number
}

/** Whole; one line; cut to fit; or not at all. */
type Shown = 'whole' | 'line' | 'cut' | 'no'

export interface ShownSection {
  readonly section: HudSection
  readonly shown: Shown
  /** Why it is not whole, as half a sentence; null where it is. */
  readonly why: string | null
  readonly text: string
}

export interface Hud {
  /** Empty where nothing is to be shown. */
  readonly text: string
  readonly tokens: number
  readonly sections: readonly ShownSection[]
  /** To be passed in next time. */
  readonly kept: ReadonlyMap<string, KeptText>
}

const frame = ['<hud>\n', '\n</hud>'] as const

export function renderHud(request: HudRequest): Hud {
  const { sections, budget = BUDGET } = request
  const data = completeData(request.data)
  const exact = exactData(request.data)
  const kept = new Map(request.kept)
  const desk: RenderState = { request, kept, steps: MOST_STEPS * 4 }
  const drafts = [...sections]
    .sort(byPriority)
    .map((section) => draftOf(section, dataFor(section, data, request), dataFor(section, exact, request), desk))
  drafts.sort((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section))
  const claims = drafts
    .filter(({ shown }) => shown !== 'no')
    .map(({ section: { name, priority }, text }) => ({ name, priority, text }))
  const shares = shareBudget(claims, budget, frame.join(''))
  const shown = drafts.map((draft) =>
    draft.shown === 'no' ? draft : withShare(draft, shares.get(draft.section.name) ?? null),
  )
  const texts = shown.filter((one) => one.shown !== 'no').map(({ text }) => text)
  const text = texts.length === 0 ? '' : `${frame[0]}${texts.join(GAP)}${frame[1]}`
  return { text, tokens: tokensOf(text), sections: shown, kept }
}

/** Two sections can use the same name for different files. */
function dataFor({ sources }: HudSection, data: HudData, { extra }: HudRequest): HudData {
  if (sources.length === 0 || extra === undefined) return data
  return { ...Object.fromEntries(sources.map((one) => [one.name, extra.get(sourceKey(one))])), ...data }
}

function withShare(draft: ShownSection, text: string | null): ShownSection {
  if (text === null) return hidden(draft.section, 'there is no room for it in the budget')
  return text === draft.text ? draft : { ...draft, text, shown: 'cut', why: 'there is no more room in the budget' }
}

function hidden(section: HudSection, why: string): ShownSection {
  return { section, shown: 'no', why, text: '' }
}

interface RenderState {
  readonly request: HudRequest
  readonly kept: Map<string, KeptText>
  /** The work left for all sections together; lower priority numbers take first. */
  steps: number
}

/** `exact`: what decides; `data`: what is shown. */
function draftOf(section: HudSection, data: HudData, exact: HudData, desk: RenderState): ShownSection {
  const reason = whyHidden(section, exact, desk.request)
  if (reason !== null) return hidden(section, reason)
  const below = whyBelow(section, exact)
  if (below !== null && !section.alwaysShow) return hidden(section, below)
  if (desk.steps <= 0) return hidden(section, 'the sections before it take too long')
  const full = textOf(section, data, desk)
  if (full === '') return hidden(section, 'it is empty')
  if (below !== null) return { section, shown: 'line', why: below, text: asLine(full) }
  const text = section.maxLength === null ? full : cutAtLine(full, section.maxLength, lengthOf)
  if (text === null) return hidden(section, 'its first line is longer than its max-length')
  return text === full
    ? { section, shown: 'whole', why: null, text }
    : { section, shown: 'cut', why: 'it is longer than its max-length', text }
}

function whyHidden(section: HudSection, data: HudData, { agent, purpose }: HudRequest): string | null {
  if (section.disabled) return 'it is disabled'
  if (section.broken) return 'its file is broken'
  if ((section.refresh === 'on-demand') !== (purpose === 'demand')) {
    return purpose === 'prompt' ? 'it is shown on demand' : 'it is already in every prompt'
  }
  if (section.agents !== null && !section.agents.some((one) => agent !== null && globMatches(one, agent))) {
    return 'it is for other agents'
  }
  if (section.when !== null && !isTrue(evaluate(section.when, [{ value: data }]))) return 'its condition is false'
  return null
}

/** Null: the threshold is reached, or there is none. An unknown value reaches none. */
function whyBelow({ value, collapseThreshold: threshold }: HudSection, data: HudData): string | null {
  if (threshold === null) return null
  const reached = evaluate({ kind: 'path', path: value }, [{ value: data }])
  const name = value.join('.')
  if (typeof reached !== 'number') return `${name} is unknown`
  return reached < threshold ? `${name} is below ${threshold}` : null
}

/** Some texts are kept for a while, or forever. */
function textOf(section: HudSection, data: HudData, desk: RenderState): string {
  const { kept } = desk
  const { now = 0 } = desk.request
  const { name, refresh, interval } = section
  const before = kept.get(name)
  if (before !== undefined && (refresh === 'once' || (refresh === 'periodic' && now - before.at < interval))) {
    return before.text
  }
  const filled = fillTemplate(section.template, data, Math.min(MOST_STEPS, desk.steps))
  desk.steps -= filled.steps
  const text = tidy(filled.text)
  if (refresh === 'once' || refresh === 'periodic') kept.set(name, { text, at: now })
  return text
}

/** No trailing space, and no more than one empty line in a row: both are left by blocks that were not shown. */
function tidy(text: string): string {
  return sanitizeText(text.replaceAll('\r', ''))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A heading and the first line below it, or just the first line. */
function asLine(text: string): string {
  const [first = '', second] = text.split('\n').filter((line) => line.trim() !== '')
  const heading = /^#{1,6}\s+(.*)$/.exec(first)?.[1]
  if (heading === undefined) return first
  return second === undefined ? heading : `${heading}: ${second}`
}

/** Shares a token budget among sections: lower priority numbers take first. */
interface BudgetClaim {
  readonly name: string
  readonly priority: number
  readonly text: string
}

/** The separator between two sections. */
const GAP = '\n\n'

/** By name: the text that fits; null: no room at all. `fixed` is the text around them all. */
export function shareBudget(claims: readonly BudgetClaim[], tokens: number, fixed = ''): Map<string, string | null> {
  let left = tokens * 4 - quartersOf(fixed)
  const shares = new Map<string, string | null>()
  for (const { name, text } of [...claims].sort(byPriority)) {
    const share = cutAtLine(text, left - quartersOf(GAP), quartersOf)
    shares.set(name, share)
    if (share !== null) left -= quartersOf(share) + quartersOf(GAP)
  }
  return shares
}
