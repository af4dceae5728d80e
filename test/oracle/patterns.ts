/** The patterns of the dialects, each read the way its own program reads it, or the way its words can only be meant. */
import { posix } from 'node:path'

/** Where the imagined project and the imagined user live. */
export const project = '/project'
export const home = '/home/u'

const known = new Map<string, RegExp>()

function regex(source: string): RegExp {
  let one = known.get(source)
  if (one === undefined) {
    if (known.size > 20_000) known.clear()
    one = new RegExp(source, 's')
    known.set(source, one)
  }
  return one
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** OpenCode's: a star is anything, also slashes; a space and a star at the end also stand for nothing. */
export function isLike(text: string, pattern: string): boolean {
  if (pattern === '*') return true
  let one = wildcards.get(pattern)
  if (one === undefined) {
    const plain = pattern.replaceAll('\\', '/')
    const hasSign = /[*?]/.test(plain)
    const source = plain
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')
    one = hasSign ? new RegExp(`^${source.endsWith(' .*') ? `${source.slice(0, -3)}(?: .*)?` : source}$`, 's') : plain
    if (wildcards.size > 20_000) wildcards.clear()
    wildcards.set(pattern, one)
  }
  const tidy = text.includes('\\') ? text.replaceAll('\\', '/') : text
  return typeof one === 'string' ? tidy === one : one.test(tidy)
}

const wildcards = new Map<string, RegExp | string>()

/** Claude Code's for commands: `git:*` is git with or without arguments, a star is anything. */
export function isCommandLike(command: string, pattern: string): boolean {
  const plain = pattern.trim()
  if (plain.endsWith(':*')) {
    const start = plain.slice(0, -2)
    return start === '' || command === start || command.startsWith(`${start} `)
  }
  const stars = plain.split('*').map(literally).join('.*')
  const source = stars.endsWith(' .*') ? `${stars.slice(0, -3)}(?: .*)?` : stars
  return regex(`^${source}$`).test(command)
}

/** Claude Code's for paths, which are those of gitignore: `//x` from the disk's root, `~/x` from home, others from the project. */
export function isPathLike(path: string, pattern: string): boolean {
  const plain = pattern.trim()
  if (plain === '' || plain.startsWith('!')) return false
  // A tool with stars in parentheses is the whole tool.
  if (plain === '*' || plain === '**') return true
  const absolute = posix.resolve(project, path.replace(/^~(?=\/|$)|^\$HOME(?=\/|$)/, home))
  const rooted = plain.startsWith('//') || plain.startsWith('~/')
  const body = plain.startsWith('//') ? plain.slice(1) : plain.startsWith('~/') ? `${home}${plain.slice(1)}` : plain
  const text = rooted ? absolute : posix.relative(project, absolute)
  if (!rooted && text.startsWith('..') && !body.startsWith('..')) return false
  const trimmed = body.replace(/^\.\//, '').replace(/^\/(?!\/)/, rooted ? '/' : '')
  const anchored = rooted || body.startsWith('/') || body.startsWith('./') || trimmed.replace(/\/$/, '').includes('/')
  const core = trimmed.replace(/\/$/, '')
  const source = core
    .split(/(\/\*\*\/|^\*\*\/|\/\*\*$|\*\*|\*|\?)/)
    .map((one) => {
      if (one === '/**/') return '/(?:.*/)?'
      if (one === '**/') return '(?:.*/)?'
      if (one === '/**') return '/.*'
      if (one === '**') return '.*'
      if (one === '*') return '[^/]*'
      if (one === '?') return '[^/]'
      return literally(one)
    })
    .join('')
  return regex(`^${anchored ? '' : '(?:.*/)?'}${source}(?:/.*)?$`).test(text)
}

/** `domain:example.com` is that host, `domain:*.example.com` those below it. */
export function isAddressLike(address: string, pattern: string): boolean {
  const plain = pattern.trim()
  if (plain === '*') return true
  if (!plain.startsWith('domain:')) return isLike(address, plain)
  let host = ''
  try {
    host = new URL(address).hostname
  } catch {
    return false
  }
  const wanted = plain.slice('domain:'.length).trim()
  return wanted === '*' || host === wanted || (wanted.startsWith('*.') && host.endsWith(wanted.slice(1)))
}
