/** A list of rules in its order, each with who said it; what the harness says itself is told in one line. */
import type { EffectiveRule } from '../model/effective.ts'
import { cut, displayWidth, fromEnd, oneLine, pad } from './layout.ts'
import { originText } from './origin-text.ts'
import type { Style } from './style.ts'

/** More than this is for programs to read. */
const MOST = 40
/** Fewer rules of the harness itself are shown like the others. */
const FEW = 3

interface Row {
  readonly number: string
  readonly rule: EffectiveRule | null
  readonly text: string
}

export function rulesText(rules: readonly EffectiveRule[], title: string, style: Style, columns: number): string[] {
  const rows = folded(rules, title)
  const shown = rows.slice(0, MOST)
  // What is said of this very agent decides the widths.
  const all = shown.flatMap(({ rule }) => (rule === null ? [] : [rule]))
  const written = all.filter(({ origin }) => origin.from !== 'default')
  const own = written.length > 0 ? written : all
  const numbers = Math.max(...shown.map(({ number }) => number.length))
  const keys = widest(
    own.map(({ permission }) => permission),
    20,
  )
  const patterns = widest(
    own.map(({ pattern }) => pattern),
    26,
  )
  const lines = shown.map(({ number, rule, text }) => {
    const start = `  ${style.dim(number.padStart(numbers))}  `
    if (rule === null) return start + style.dim(text)
    if (!own.includes(rule)) return start + looseLine(rule, title, style, columns - numbers - 4)
    const key = pad(cut(oneLine(rule.permission), keys), keys)
    const pattern = pad(fromEnd(oneLine(rule.pattern), patterns), patterns)
    const room = Math.max(12, columns - numbers - keys - patterns - 4 - 8 - 5)
    return `${start}${key}  ${pattern}  ${paint(style, rule.action)}  ${style.dim(fromEnd(originText(rule.origin, title), room))}`
  })
  const isWhole = rows.length === rules.length && shown.length === rows.length
  return [
    style.bold('Rules, the last that matches decides'),
    ...lines,
    ...(isWhole ? [] : [style.dim(`  \`--json\` shows all ${rules.length}.`)]),
  ]
}

/** Outside of the columns, which are not made for it. */
function looseLine(rule: EffectiveRule, title: string, style: Style, room: number): string {
  const permission = oneLine(rule.permission)
  const origin = originText(rule.origin, title)
  const spaces = 6
  const left = room - displayWidth(permission) - rule.action.length - displayWidth(origin) - spaces
  const pattern = fromEnd(oneLine(rule.pattern), Math.min(28, Math.max(12, left)))
  return `${style.dim(`${permission}  ${pattern}`)}  ${paint(style, rule.action).trimEnd()}  ${style.dim(origin)}`
}

function folded(rules: readonly EffectiveRule[], title: string): Row[] {
  const rows: Row[] = []
  for (let first = 0; first < rules.length; ) {
    const from = rules[first]?.origin.from
    const end = rules.findIndex((rule, index) => index > first && rule.origin.from !== from)
    const last = end < 0 ? rules.length : end
    const isOwn = from === 'default' || from === 'built-in'
    if (isOwn && last - first > FEW) {
      const whose = from === 'default' ? `defaults of ${title}` : `rules that ${title} brings along for this agent`
      rows.push({ number: `${first + 1}-${last}`, rule: null, text: `${last - first} ${whose}` })
    } else {
      rows.push(
        ...rules.slice(first, last).map((rule, index) => ({ number: String(first + index + 1), rule, text: '' })),
      )
    }
    first = last
  }
  return rows
}

function paint(style: Style, action: EffectiveRule['action']): string {
  const word = action.padEnd(5)
  return action === 'deny' ? style.red(word) : action === 'ask' ? style.yellow(word) : style.green(word)
}

function widest(texts: readonly string[], most: number): number {
  return Math.min(most, Math.max(1, ...texts.map((text) => displayWidth(oneLine(text)))))
}
