/** Names as another harness accepts them, and the file names that go with them. */
import { fingerprint } from '../text/fingerprint.ts'
import type { Carrier } from './schema/harness.ts'

export type Convention = 'kebab-case' | 'snake_case' | 'camelCase' | 'PascalCase'

/** The name an agent gets: its own where the target takes it, otherwise the nearest that it does take. */
export function targetName(carrier: Carrier, name: string): string {
  const { convention } = carrier.name
  const wanted = convention === undefined ? name : applyConvention(name, convention)
  if (isAccepted(carrier, wanted)) return wanted
  const slug = slugOf(wanted, convention ?? 'kebab-case')
  const short = carrier.name.max === undefined ? slug : shortened(slug, carrier.name.max)
  const candidates = [short, `${short}-agent`, `agent-${mark(name)}`]
  return candidates.find((one) => isAccepted(carrier, one)) ?? short
}

/** The file name without its extension: what stands for `{name}` in the place agents are written to. */
export function fileStem(carrier: Carrier, name: string): string {
  if (carrier.name.path === 'relative' || isFileName(name)) return name
  const slug = slugOf(name, 'kebab-case')
  return DEVICE.test(slug) ? `${slug}-agent` : slug
}

/** What Windows takes for a device, whatever the extension: such a file could not be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

function isAccepted(carrier: Carrier, name: string): boolean {
  const { pattern, max, path, key, wins, taken } = carrier.name
  if (taken.includes(name)) return false
  if (name.trim() !== name || name === '' || (max !== undefined && name.length > max)) return false
  if (pattern !== undefined && !compiled(pattern).test(name)) return false
  // Where the path can name the agent, it should: a key that says something else would have to be looked for.
  const isPath =
    path !== undefined && path !== 'mapKey' && (key === undefined || wins === 'path' || path === 'relative')
  return !isPath || isFileName(name) || (path === 'relative' && name.split('/').every(isFileName))
}

/** Letters and digits of any script, dots, dashes and underscores; nothing hidden, nothing a shell or a system minds. */
function isFileName(name: string): boolean {
  if (DEVICE.test(name)) return false
  // Most names are so plain that the tables of Unicode need not be asked.
  if (/^[a-zA-Z0-9][\w-]{0,99}$/.test(name)) return true
  return /^(?![._-])[\p{L}\p{N}._-]{1,100}$/u.test(name) && !/[.]$/.test(name)
}

const patterns = new Map<string, RegExp>()

function compiled(pattern: string): RegExp {
  let found = patterns.get(pattern)
  if (found === undefined) {
    found = new RegExp(pattern, 'u')
    patterns.set(pattern, found)
  }
  return found
}

export function applyConvention(name: string, convention: Convention): string {
  const words = wordsOf(name)
  switch (convention) {
    case 'kebab-case':
      return words.join('-')
    case 'snake_case':
      return words.join('_')
    case 'camelCase':
      return words.map((word, index) => (index === 0 ? word : capital(word))).join('')
    case 'PascalCase':
      return words.map(capital).join('')
  }
}

/** As the convention has it, in plain Latin letters where that is possible. */
function slugOf(name: string, convention: Convention): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const ascii = applyConvention(plain.replace(/[^\x20-\x7e]/g, ' '), convention)
  return ascii === '' ? `agent-${mark(name)}` : ascii
}

/** `codeExplorer v2` is three words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function shortened(name: string, max: number): string {
  return name.length <= max ? name : `${name.slice(0, max - 9).replace(/[-_]+$/, '')}-${mark(name)}`
}

function mark(name: string): string {
  return fingerprint(name).slice(0, 8)
}
