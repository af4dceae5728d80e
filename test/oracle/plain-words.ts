/** Words about tools that no program reads: what they take away was meant, whatever stands around the names. */
import type { Call } from './call.ts'
import type { Found } from './front-matter.ts'
import { itemsOf } from './lists.ts'
import { speaksOf } from './names.ts'

/** The names in a text, without the signs between and around them. */
function namesIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_-]+/u).filter((word) => /\w/.test(word))
}

/** Names that mean one tool in this dialect, whatever others mean by them. */
type Plain = Readonly<Record<string, string>>

function isMeant(name: string, call: Call, plain: Plain): boolean {
  return Object.hasOwn(plain, name) ? plain[name] === call.tool : speaksOf(name, call)
}

/** A denied entry with signs that are no part of any name, or the word for all of them. */
export function isDeniedInWords(found: Found, call: Call, plain: Plain): boolean {
  if (!found.clear) return false
  return (itemsOf(found.value) ?? []).some((item) =>
    item.split(/[\s,]+/).some((entry) => {
      if (/^(?:all|everything)$/i.test(entry)) return true
      return (
        !/[()]/.test(entry) && /[/+:=@.*|]/.test(entry) && namesIn(entry).some((name) => isMeant(name, call, plain))
      )
    }),
  )
}

/** What a list of grants excludes by a sign or by a word. */
export function isExcluded(found: Found, call: Call, plain: Plain): boolean {
  if (!found.clear) return false
  return (itemsOf(found.value, 'grants') ?? []).some((item) => {
    const signed = item.split(/[\s,]+/).flatMap((entry) => (/^(?:!|-\w)/.test(entry) ? [entry.slice(1)] : []))
    const behind = /(?:^|[\s,])(?:except|but|not|no|without)[\s,]+([^()]*)$/i.exec(item)?.[1] ?? ''
    return [...signed, ...namesIn(behind)].some((name) => isMeant(name, call, plain))
  })
}

/** A mode in which nothing is changed and nothing is run. */
export function plansOnly(found: Found): boolean {
  return found.clear && found.value === 'plan'
}

/** What would need a question is denied: "In dontAsk mode a matching ask rule is denied", says the documentation. */
export function asksNobody(found: Found): boolean {
  return found.clear && found.value === 'dontAsk'
}

interface Filters {
  readonly [key: string]: unknown
}

const allowing = ['include_tools', 'includeTools', 'tools', 'enabled_tools']
const denying = ['exclude_tools', 'excludeTools', 'disabled_tools']

/** The entry of a server keeps one of its tools from the agent; `own`: by the keys that a program knows. */
export function isFiltered(found: Found, server: string, tool: string, own?: readonly string[]): boolean {
  if (!found.clear || typeof found.value !== 'object' || found.value === null) return false
  const maps = (Array.isArray(found.value) ? found.value : [found.value]) as Filters[]
  return maps.some((servers) => {
    const entry = servers?.[server]
    if (typeof entry !== 'object' || entry === null) return false
    const list = (key: string) => (entry as Filters)[key]
    const isLeftOut = (key: string) => {
      const names = list(key)
      return Array.isArray(names) && !names.includes('*') && !names.includes(tool)
    }
    const isTaken = (key: string) => {
      const names = list(key)
      return Array.isArray(names) && (names.includes('*') || names.includes(tool))
    }
    const isKnown = (key: string) => own?.includes(key) ?? true
    return allowing.filter(isKnown).some(isLeftOut) || denying.filter(isKnown).some(isTaken)
  })
}
