/** Follows how full a context window is, from answer to answer. */
import { type Usage, usedTokens } from './figures.ts'

export interface WindowUse {
  readonly tokens: number
  readonly before: number | null
}

/** Null where the answer is not there yet: then all is zero. */
export function countUsage(last: WindowUse | null, usage: Usage): WindowUse | null {
  const tokens = usedTokens(usage)
  if (tokens === 0 || tokens === last?.tokens) return last
  return { tokens, before: last?.tokens || null }
}

/** A window that nothing was said in. */
export const emptyWindow: WindowUse = { tokens: 0, before: null }

/** As templates see it; without a use nobody knows. */
export function contextData(use: WindowUse | null, limit: number | null): object {
  const trend = use === null || use.before === null ? undefined : trendOf(use.tokens, use.before)
  return {
    ...(use === null ? {} : { tokens: use.tokens }),
    ...(limit === null || limit <= 0 ? {} : { limit }),
    ...(trend === undefined ? {} : { trend }),
  }
}

/** A twentieth more or less is no trend. */
function trendOf(now: number, before: number): 'rising' | 'falling' | 'steady' {
  if (now > before * 1.05) return 'rising'
  return now < before * 0.95 ? 'falling' : 'steady'
}
