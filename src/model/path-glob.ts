/** The small glob language of harness files: `*` inside a segment, `**` for any folders, `{a,b}` for alternatives. */

/** One plain pattern per combination of alternatives. */
export function expandBraces(pattern: string): string[] {
  // `${NAME:-default}` is a variable, not an alternative.
  const match = /^(.*?)(?<!\$)\{([^{}]*)\}(.*)$/.exec(pattern)
  if (match === null) return [pattern]
  const [, before = '', alternatives = '', after = ''] = match
  return alternatives.split(',').flatMap((one) => expandBraces(`${before}${one}${after}`))
}

/** The folder a pattern starts in: its segments before the first one with a star. */
export function globBase(pattern: string): string {
  const segments = pattern.split('/')
  const wild = segments.findIndex((segment) => segment.includes('*'))
  return segments.slice(0, wild < 0 ? -1 : wild).join('/')
}

export function segmentPattern(segment: string): RegExp {
  return new RegExp(`^${segment.split('*').map(escapeRegExp).join('[^/]*')}$`)
}

/** Files that a harness ignores, by their paths below a folder: by the name of the file, or of a folder (`drafts/`). */
export function ignorePattern(name: string): RegExp {
  const isFolder = name.endsWith('/')
  const source = (isFolder ? name.slice(0, -1) : name).split('*').map(escapeRegExp).join('[^/]*')
  return new RegExp(`(?:^|/)${source}${isFolder ? '/' : '$'}`)
}

/** Matches the end of a path: the pattern may start below any folder. Group 1 is the part before it. */
export function suffixPattern(pattern: string): RegExp {
  return new RegExp(`^(|.*/)${sourceOf(pattern)}$`, 's')
}

/** Matches a whole path. */
export function wholePattern(pattern: string): RegExp {
  return new RegExp(`^${sourceOf(pattern)}$`, 's')
}

function sourceOf(pattern: string): string {
  const parts = pattern.split('/').map((segment, index, all) => {
    if (segment === '**') return index === all.length - 1 ? '.*' : '(?:[^/]+/)*'
    const one = segment.split('*').map(escapeRegExp).join('[^/]*')
    return index === all.length - 1 ? one : `${one}/`
  })
  return parts.join('')
}

function escapeRegExp(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
}
