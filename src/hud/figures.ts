/** Completes data with what follows from it, and rounds what changes all the time: a prompt that stays the same is cached. */

export type Data = Readonly<Record<string, unknown>>

/** In per cent of the context window. */
export const thresholds = { yellow: 70, red: 85, critical: 92 } as const

export type Level = 'green' | keyof typeof thresholds

/** What a model says it has used for one answer. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** All of it stands in the window, whether it was cached or not. */
export function usedTokens({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

/** As templates print it. */
export function completeData(data: Data): Data {
  const exact = exactData(data)
  const { context, session } = exact
  return {
    ...exact,
    ...(isRecord(context) ? { context: roundContext(context) } : {}),
    ...(isRecord(session) ? { session: roundSession(session) } : {}),
  }
}

/** As conditions and thresholds of sections see it: 69.5 is not 70. */
export function exactData(data: Data): Data {
  const { context } = data
  return isRecord(context) ? { ...data, context: completeContext(context) } : data
}

function completeContext(context: Data): Data {
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

/** Per cent are rounded down: what is shown must not have reached a threshold that was not reached. */
function roundContext(context: Data): Data {
  const { tokens, left, percentage } = context
  return {
    ...context,
    ...(isAmount(tokens) ? { tokens: roundTokens(tokens) } : {}),
    ...(isAmount(left) ? { left: roundTokens(left) } : {}),
    ...(isAmount(percentage) ? { percentage: Math.floor(percentage) } : {}),
  }
}

export function levelOf(percentage: number): Level {
  if (percentage >= thresholds.critical) return 'critical'
  if (percentage >= thresholds.red) return 'red'
  return percentage >= thresholds.yellow ? 'yellow' : 'green'
}

function roundSession(session: Data): Data {
  const { age, cost } = session
  return {
    ...session,
    ...(isAmount(age) ? { age: roundAge(age) } : {}),
    ...(isAmount(cost) ? { cost: Math.round(cost * 100) / 100 } : {}),
  }
}

/** Three figures at most; to the thousand where there are many. */
function roundTokens(tokens: number): number {
  const step = tokens < 1000 ? 10 : tokens < 10_000 ? 100 : 1000
  return Math.round(tokens / step) * step
}

/** Minutes, and ten of them after the first hour. */
function roundAge(seconds: number): number {
  const step = seconds < 3600 ? 60 : 600
  return Math.floor(seconds / step) * step
}

function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
