/** Names of models, parsed: vendor, family, version; and the models that a harness offers. */
import type { Harness } from '../schema/harness.ts'

/** Capability levels of models, which dialects share although each maps them to its own model. */
export const tierNames = ['opus', 'sonnet', 'haiku', 'fable'] as const
type Tier = (typeof tierNames)[number]

export interface ModelName {
  /** Only Anthropic's families are tiers; harness files define what other families compare with. */
  readonly tier: Tier | null
  /** Null if the program is to choose (`auto`). */
  readonly vendor: string | null
  /** The name without its version: `sonnet`, `gpt-codex`, `gemini-flash-lite`. */
  readonly family: string
  /** `4.5`, written as `4-5`, `4.5` or `4-5-20250929`; null if the newest is meant. */
  readonly version: string | null
  readonly date: string | null
  /** Other parts: `fast`, `thinking`, `1m`, `preview`. */
  readonly marks: readonly string[]
}

/** By the first word of an id. */
const vendors: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  gpt: 'openai',
  chatgpt: 'openai',
  codex: 'openai',
  o: 'openai',
  gemini: 'google',
  gemma: 'google',
  grok: 'xai',
  qwen: 'alibaba',
  qwq: 'alibaba',
  kimi: 'moonshotai',
  glm: 'zhipuai',
  deepseek: 'deepseek',
  minimax: 'minimax',
  mistral: 'mistral',
  devstral: 'mistral',
  codestral: 'mistral',
  llama: 'meta',
  mai: 'microsoft',
}

/** Anthropic's families imply their vendor even alone. */
const claudeFamilies: ReadonlySet<string> = new Set([...tierNames, 'mythos', 'instant'])

/** Words for how a model is served, not which one it is. */
const markWords: ReadonlySet<string> = new Set(
  'preview latest exp experimental beta free fast thinking reasoning low medium high xhigh'.split(' '),
)

/** Those that make no difference to the user. */
const idleMarks: ReadonlySet<string> = new Set('preview latest exp experimental beta free'.split(' '))

/** Null if it is not the name of a model; for a list, the first that is one. */
export function understandModel(text: string): ModelName | 'inherit' | null {
  for (const one of modelTexts(text)) {
    const name = understandOne(one.toLowerCase())
    if (name !== null) return name
  }
  return null
}

/** The names in a value: dialects that accept one also encounter `a, b` and `a | b`. */
export function modelTexts(value: string | readonly string[]): string[] {
  const texts = typeof value === 'string' ? value.split(/[,|]/u) : value
  return texts.map((text) => text.trim().replace(/^(['"])(.*)\1$/u, '$2')).filter((text) => text !== '')
}

/** The marks that make a difference. */
export function distinctiveMarks({ marks }: ModelName): string[] {
  return marks.filter((mark) => !idleMarks.has(mark))
}

function understandOne(text: string): ModelName | 'inherit' | null {
  if (text === 'inherit' || text === 'default') return 'inherit'
  if (text === 'auto') return { tier: null, vendor: null, family: 'auto', version: null, date: null, marks: [] }
  const { id, marks } = withoutRemarks(text)
  const words = wordsOf(withoutProvider(id))
  const [first = ''] = words
  const brand = claudeFamilies.has(first) ? 'claude' : first
  const vendor = Object.hasOwn(vendors, brand) ? vendors[brand] : undefined
  if (vendor === undefined) return null
  return sortWords(vendor, words, marks)
}

/** `[1m]`, and the text in parentheses: `(copilot)`, `(Preview)`. */
function withoutRemarks(text: string): { readonly id: string; readonly marks: readonly string[] } {
  const marks: string[] = []
  const id = text.replace(
    /(?<!\s)\s*(?:\[(\w+)\]|\(([^()]*)\))/gu,
    (_all, bracketed: string | undefined, remark: string) => {
      if (bracketed !== undefined) marks.push(bracketed)
      else if (markWords.has(remark)) marks.push(remark)
      return ''
    },
  )
  return { id: id.trim(), marks }
}

/** `openrouter/anthropic/x`, `openai:x`, `us.anthropic.x` and `arn:...:inference-profile/us.anthropic.x` are x. */
function withoutProvider(id: string): string {
  const last = id.slice(id.lastIndexOf('/') + 1)
  return last
    .replace(/^[a-z-]+:(?=[a-z])/u, '')
    .replace(/-v\d+:\d+$/u, '')
    .replace(/^(?:[a-z-]+\.)*(?:anthropic|openai|google|xai|qwen|deepseek|meta|mistral)\./u, '')
}

/** The parts of an id, with a number separated from the name before it: `sonnet4.5`, `gpt5`, `qwen3`. */
function wordsOf(id: string): string[] {
  return id
    .replace(/^(claude|opus|sonnet|haiku|fable|gpt|gemini|grok|qwen|o)(?=\d)/u, '$1-')
    .replace(/^(claude-?)(opus|sonnet|haiku|fable)(?=\d)/u, '$1$2-')
    .split(/[\s_@:-]+/u)
    .filter((word) => word !== '')
}

const NUMBER = /^[kmv]?(\d{1,2}(?:\.\d{1,2})?[a-z]?)$/u

function sortWords(vendor: string, words: readonly string[], remarks: readonly string[]): ModelName {
  const isClaude = vendor === 'anthropic'
  const family: string[] = []
  const dates: string[] = []
  const marks = [...remarks]
  let version: string | null = null
  for (const [at, word] of words.entries()) {
    const number = NUMBER.exec(word)?.[1]
    if (number !== undefined) {
      // A bare v1 or v2 counts the deployments of a Claude model, not the models.
      if (isClaude && word.startsWith('v')) continue
      if (version === null) version = number
      else if (/^\d+$/u.test(version) && /^\d+$/u.test(word) && words[at - 1] === version) version += `.${number}`
      else dates.push(word)
    } else if (/^\d+$/u.test(word)) dates.push(word)
    else if (markWords.has(word)) marks.push(word)
    else if (!isClaude || claudeFamilies.has(word)) family.push(word)
    else if (word !== 'claude') marks.push(word)
  }
  const name = family.join('-') || 'claude'
  return {
    tier: tierNames.find((tier) => isClaude && tier === name) ?? null,
    vendor,
    family: name,
    version: version === null ? null : version.replace(/\.0$/u, ''),
    date: dates.length === 0 ? null : dates.join('-'),
    marks,
  }
}

/** What a harness offers, by the meaning of its ids: the models it lists, and its current one of each family. */
interface Offer {
  readonly id: string
  readonly name: ModelName
}

interface Offers {
  /** By vendor, family and version. */
  readonly exact: ReadonlyMap<string, readonly Offer[]>
  /** By vendor and family: the short name, or the newest id. */
  readonly current: ReadonlyMap<string, string>
  readonly vendors: ReadonlySet<string | null>
}

const collected = new WeakMap<Harness, Offers>()

/** All that could be exactly this model. */
export function offersLike(harness: Harness, name: ModelName): readonly Offer[] {
  return offersOf(harness).exact.get(exactKey(name)) ?? []
}

/** What to write for the family, in its current version. */
export function currentOffer(harness: Harness, name: ModelName): string | undefined {
  return offersOf(harness).current.get(familyKey(name))
}

export function hasVendor(harness: Harness, { vendor }: ModelName): boolean {
  return offersOf(harness).vendors.has(vendor)
}

function offersOf(harness: Harness): Offers {
  const found = collected.get(harness) ?? collectOffers(harness)
  collected.set(harness, found)
  return found
}

function collectOffers({ models }: Harness): Offers {
  const listed = models.known.flatMap((id) => offer(id, id))
  // A tier that is another vendor's model, or a short name for a tier, does not define a family.
  const short = [
    ...tierNames.flatMap((tier) => {
      const id = models.tiers[tier]
      return id === undefined ? [] : offer(id, id).filter(({ name }) => name.tier === tier)
    }),
    ...Object.entries(models.means)
      .flatMap(([alias, meaning]) => offer(alias, meaning))
      .filter(({ name }) => name.tier === null),
  ]
  const exact = new Map<string, Offer[]>()
  for (const one of listed) exact.set(exactKey(one.name), [...(exact.get(exactKey(one.name)) ?? []), one])
  const newest = listed.filter(({ name }) => distinctiveMarks(name).length === 0 && name.date === null).sort(newerFirst)
  const current = new Map<string, string>()
  for (const { id, name } of [...short, ...newest]) {
    if (!current.has(familyKey(name))) current.set(familyKey(name), id)
  }
  return { exact, current, vendors: new Set([...listed, ...short].map(({ name }) => name.vendor)) }
}

function offer(id: string, meaning: string): Offer[] {
  const name = understandModel(meaning)
  return name === null || name === 'inherit' ? [] : [{ id, name }]
}

function newerFirst({ name: one }: Offer, { name: other }: Offer): number {
  const [major, minor] = versionParts(one)
  const [otherMajor, otherMinor] = versionParts(other)
  return otherMajor - major || otherMinor - minor
}

function versionParts({ version }: ModelName): [number, number] {
  const [major = 0, minor = 0] = (version ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0)
  return [major, minor]
}

function familyKey({ vendor, family }: ModelName): string {
  return `${vendor} ${family}`
}

function exactKey(name: ModelName): string {
  return `${familyKey(name)} ${name.version}`
}
