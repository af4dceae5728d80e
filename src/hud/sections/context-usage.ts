/** The data of the context window: completed with derived values, and rounded so that the rendered prompt stays cacheable. */
export type HudData = Readonly<Record<string, unknown>>

/** In percent of the context window. */
const thresholds = { yellow: 70, red: 85, critical: 92 } as const

type ContextLevel = 'green' | keyof typeof thresholds

/** The usage that a model reports for one answer. */
interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** All of it occupies the window, whether it was cached or not. */
export function usedTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

/** As templates print it. */
export function completeData(data: HudData): HudData {
  const exact = exactData(data)
  const { context, session } = exact
  return {
    ...exact,
    ...(isRecord(context) ? { context: roundContext(context) } : {}),
    ...(isRecord(session) ? { session: roundSession(session) } : {}),
  }
}

/** As conditions and thresholds of sections see it: 69.5 is not 70. */
export function exactData(data: HudData): HudData {
  const { context } = data
  return isRecord(context) ? { ...data, context: completeContext(context) } : data
}

function completeContext(context: HudData): HudData {
  const { tokens, limit } = context
  const known = isAmount(tokens) && isAmount(limit) && limit > 0
  const percentage = known ? (tokens * 100) / limit : context.percentage
  const level = isAmount(percentage) ? levelOf(percentage) : undefined
  return {
    ...context,
    ...(known ? { left: Math.max(0, limit - tokens) } : {}),
    ...(isAmount(percentage) ? { percentage } : {}),
    ...(level === undefined ? {} : { level, status: { level, [level]: true } }),
  }
}

/** Percentages are rounded down: the shown value must not reach a threshold that was not reached. */
function roundContext(context: HudData): HudData {
  const { tokens, left, percentage } = context
  return {
    ...context,
    ...(isAmount(tokens) ? { tokens: roundTokens(tokens) } : {}),
    ...(isAmount(left) ? { left: roundTokens(left) } : {}),
    ...(isAmount(percentage) ? { percentage: Math.floor(percentage) } : {}),
  }
}

export function levelOf(percentage: number): ContextLevel {
  if (percentage >= thresholds.critical) return 'critical'
  if (percentage >= thresholds.red) return 'red'
  return percentage >= thresholds.yellow ? 'yellow' : 'green'
}

function roundSession(session: HudData): HudData {
  const { age, cost } = session
  return {
    ...session,
    ...(isAmount(age) ? { age: roundAge(age) } : {}),
    ...(isAmount(cost) ? { cost: Math.round(cost * 100) / 100 } : {}),
  }
}

/** Three digits at most; to the thousand for large numbers. */
function roundTokens(tokens: number): number {
  const step = tokens < 1000 ? 10 : tokens < 10_000 ? 100 : 1000
  return Math.round(tokens / step) * step
}

/** To the minute, and to ten minutes after the first hour. */
function roundAge(seconds: number): number {
  const step = seconds < 3600 ? 60 : 600
  return Math.floor(seconds / step) * step
}

function isRecord(value: unknown): value is HudData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Tracks how full a context window is, from answer to answer. */
export interface WindowUse {
  readonly tokens: number
  readonly before: number | null
}

/** Null where there is no answer yet: then everything is zero. */
export function countUsage(last: WindowUse | null, usage: Usage): WindowUse | null {
  const tokens = usedTokens(usage)
  if (tokens === 0 || tokens === last?.tokens) return last
  return { tokens, before: last?.tokens || null }
}

/** A window without messages. */
export const emptyWindow: WindowUse = { tokens: 0, before: null }

/** As templates see it; without a use it is unknown. */
export function contextData(use: WindowUse | null, limit: number | null): object {
  const trend = use === null || use.before === null ? undefined : trendOf(use.tokens, use.before)
  return {
    ...(use === null ? {} : { tokens: use.tokens }),
    ...(limit === null || limit <= 0 ? {} : { limit }),
    ...(trend === undefined ? {} : { trend }),
  }
}

/** A change of a twentieth is not a trend. */
function trendOf(now: number, before: number): 'rising' | 'falling' | 'steady' {
  if (now > before * 1.05) return 'rising'
  return now < before * 0.95 ? 'falling' : 'steady'
}
