/**
 * Words and phrases that do not belong in Troupe's texts, with what to write instead, and the search for them.
 * They are the ones that crept in before: old metaphors, and English that is translated word by word.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

interface Phrase {
  /** A space matches any white space and the stars of a comment. */
  readonly pattern: RegExp
  readonly instead: string
}

/** Add a line when you find yourself correcting the same phrase twice. Each needs a sentence in plain-english.test.ts. */
export const phrases: readonly Phrase[] = [
  {
    pattern: /\b(stands?|stood)\b(?! (in )?for\b|-in|-alone| out\b| still\b| up\b)/,
    instead: '"is", or say what it does',
  },
  { pattern: /\b(whoever|whosoever|whomever)\b/, instead: '"anyone who", or name who it is' },
  { pattern: /\b(nobody|somebody|anybody)\b/, instead: '"no one", "someone", or name who it is' },
  { pattern: /\btold\b(?! apart\b)/, instead: '"reported", "shown", "given" or "known"' },
  { pattern: /\b(tells?|telling|speaks?|speaking) of\b/, instead: '"mentions", "describes" or "names"' },
  { pattern: /\b(goes|going|went) on\b(?! to\b)/, instead: '"continues" or "resumes"' },
  { pattern: /\bmakes? of (it|this|that|them)\b/, instead: '"does with it"' },
  { pattern: /\b(or|and) the like\b/, instead: '"and similar", or name them' },
  { pattern: /(?<!-)\bin step\b(?! \d)/, instead: '"up to date"' },
  { pattern: /\b(none|no one) such\b/, instead: '"there is no ..."' },
  { pattern: /\b(come|comes|came|coming) alive\b/, instead: '"starts to work" or "takes effect"' },
  { pattern: /\banew\b/, instead: '"again", or "from scratch"' },
  {
    pattern: /\b(thereof|therein|thereby|wherein|whereby|hereby|herein|hitherto|henceforth|thereupon|whereupon)\b/,
    instead: 'two shorter sentences',
  },
  {
    pattern:
      /(?<!\bthere )(?<!\bthere's )\b(is|are|was|were) no (?!longer\b|more\b|less\b|way\b|one\b|reason\b|loss\b|gain\b|secret\b|difference\b|evidence\b)(\w+|\$)/,
    instead: '"is not a ..."',
  },
  {
    pattern:
      /\b(lie|lies|lay|lying) (about|above|among|around|at|behind|below|beside|between|in|inside|on|outside|within)\b/,
    instead: '"is"',
  },
  {
    pattern: /\b(bring|brings|brought|bringing) (it |them )?along\b/,
    instead: '"built in", "ships with" or "comes with"',
  },
  { pattern: /\b(go|goes|went) along\b/, instead: '"carries over"' },
  { pattern: /\b(pass|passes|passed|passing) over\b/, instead: '"ignores" or "skips"' },
  { pattern: /\b(heed|heeds|heeded)\b/, instead: '"honours", "reads" or "applies"' },
  { pattern: /\b(mend|mends|mended|mending)\b/, instead: '"fix" or "repair"' },
  { pattern: /\btakes? it that\b/, instead: '"assumes that" or "treats it as"' },
  { pattern: /\bwithout a word\b/, instead: '"silently"' },
  { pattern: /\botherwise than\b/, instead: '"differently from"' },
  { pattern: /\b(hold|holds|held) to (it|its|them|their|this|that)\b/, instead: '"enforces it"' },
  { pattern: /\bfrom now on\b/, instead: '"now", or say what changes' },
  { pattern: /\bof (its|their) own accord\b/, instead: '"by itself", or name what starts it' },
  { pattern: /\bshould (stand|be standing)\b/, instead: '"expected ..."' },
  { pattern: /\b(portrays?|portrayed|portraits?)\b/, instead: '"capture" or "request"' },
]

/** Words of names (`toldBefore`, `in-step.ts`) that are no words of the field. */
export const names: Readonly<Record<string, string>> = {
  told: 'reported, shown or given',
  portray: 'capture',
  portrait: 'capture',
  whoever: 'the role that is meant',
  nobody: 'none',
  heed: 'honour',
  heeds: 'honours',
  heeded: 'honoured',
  mended: 'repaired',
}

/** Each phrase in the texts of a file, as `line: "found": write ...`. */
export function findPhrases(path: string, text: string): string[] {
  const found = proseOf(path, text).flatMap(({ start, prose }) =>
    matchers.flatMap(({ pattern, instead }) =>
      [...prose.matchAll(pattern)].map(({ index, 0: words }) => ({ at: start + index, words, instead })),
    ),
  )
  const named = namesOf(path, text).flatMap(({ start, name }) =>
    wordsOf(name)
      .filter((word) => Object.hasOwn(names, word))
      .map((word) => ({ at: start, words: name, instead: names[word] ?? '' })),
  )
  return [...found, ...named]
    .sort((a, b) => a.at - b.at)
    .map(({ at, words, instead }) => {
      const line = text.slice(0, at).split('\n').length
      return `${path}:${line}: "${words.replace(/\s+/g, ' ')}": write ${instead}`
    })
}

/** All files with texts at a path or below it. */
export function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
    .filter((file) => /\.(ts|mjs|cjs|md|json|yaml|txt)$/.test(file))
}

export function readAndFind(path: string): string[] {
  return filesBelow(path).flatMap((file) => findPhrases(file, readFileSync(file, 'utf8')))
}

const matchers = phrases.map(({ pattern, instead }) => ({
  instead,
  pattern: new RegExp(pattern.source.replaceAll(' ', '(?:\\s|\\*|//)+'), 'gi'),
}))

interface Prose {
  readonly start: number
  readonly prose: string
}

/** Of code the strings and comments, of a schema what describes it, of anything else the whole text. */
function proseOf(path: string, text: string): Prose[] {
  if (/\.[mc]?[tj]s$/.test(path)) return tokensOf(text).filter(({ kind }) => kind !== ts.SyntaxKind.Identifier)
  if (!path.endsWith('.json')) return [{ start: 0, prose: text }]
  const described = text.matchAll(/"(?:description|title|markdownDescription|\$comment)": ("(?:[^"\\]|\\.)*")/g)
  return [...described].map((match) => ({ start: match.index, prose: match[1] ?? '' }))
}

function namesOf(path: string, text: string): { start: number; name: string }[] {
  if (!/\.[mc]?[tj]s$/.test(path)) return []
  const used = tokensOf(text).filter(({ kind }) => kind === ts.SyntaxKind.Identifier)
  return [
    { start: 0, name: path.replace(/.*\/|\..*$/g, '') },
    ...used.map(({ start, prose }) => ({ start, name: prose })),
  ]
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

interface Token extends Prose {
  readonly kind: ts.SyntaxKind
}

/** Strings, comments and names of a program, in their order. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const comments = new Map<number, number>()
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) comments.set(range.pos, range.end)
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) comments.set(range.pos, range.end)
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isText || ts.isIdentifier(node))
      tokens.push({ kind: node.kind, start: node.getStart(), prose: text.slice(node.getStart(), node.getEnd()) })
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const range of ts.getLeadingCommentRanges(text, file.endOfFileToken.getFullStart()) ?? [])
    comments.set(range.pos, range.end)
  for (const [start, end] of comments)
    tokens.push({ kind: ts.SyntaxKind.MultiLineCommentTrivia, start, prose: text.slice(start, end) })
  return tokens
}
