/** Pass 3: folders and files that belong to the source harness become the target's. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Pass, Proposal, Scope } from '../proposal.ts'
import { escapeForPattern } from '../search.ts'
import { folderRules, ownFolders } from './folders.ts'
import { convertRootVariable } from './root-variable.ts'

export const convertPaths: Pass = {
  words: (source) => {
    const { rootVariable, instructions } = source.paths
    return [...ownFolders(source), ...[rootVariable, instructions].filter((path) => typeof path === 'string')]
  },
  run: (scope) => {
    if (scope.source === scope.target) return []
    return [...convertRootVariable(scope), ...convertFolders(scope), ...convertInstructions(scope)]
  },
}

function convertFolders(scope: Scope): Proposal[] {
  const { page, source, target, renamed } = scope
  return folderRules(source, target).flatMap(({ pattern, rewrite, from, note }) =>
    [...page.text.matchAll(pattern)].flatMap((match): Proposal[] => {
      const [written] = match
      if (isElsewhere(scope, match.index)) return []
      const to = rewrite(written.slice(from.length), renamed)
      const range = { start: match.index, end: match.index + written.length }
      const said = { range, rule: 'path-reference', feature: `path: ${from}`, from: written, to } as const
      if (to === written) return [{ ...said, text: null, outcome: 'direct' }]
      if (note === undefined) return [{ ...said, text: to, outcome: 'direct' }]
      return [{ ...said, text: to, outcome: 'workaround', note }]
    }),
  )
}

const instructionPatterns = new WeakMap<Harness, RegExp>()

/** CLAUDE.md and its like: the file with the project's instructions. */
function convertInstructions(scope: Scope): Proposal[] {
  const { page, source, target } = scope
  const from = source.paths.instructions
  const to = target.paths.instructions
  if (from === undefined || to === undefined || !page.text.includes(from)) return []
  let pattern = instructionPatterns.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(`(?<![\\w/~.-]|~/\\.?\\w{1,20}/)(?:\\./)?${escapeForPattern(from)}(?![\\w/-])`, 'g')
    instructionPatterns.set(source, pattern)
  }
  return [...page.text.matchAll(pattern)].flatMap((match): Proposal[] => {
    const end = match.index + match[0].length
    // "CLAUDE.md or AGENTS.md" names both already.
    if (isElsewhere(scope, match.index) || (from !== to && lineAt(scope, match.index).includes(to))) return []
    const range = { start: end - from.length, end }
    const text = from === to ? null : to
    return [{ range, text, rule: 'path-reference', feature: `path: ${from}`, outcome: 'direct', from, to }]
  })
}

/** In an address, a title, or a sentence that documents the harness itself. */
function isElsewhere(scope: Scope, offset: number): boolean {
  const { page, source } = scope
  if (page.placeOf(offset) === 'heading') return true
  if (/(?:https?:\/\/|www\.)\S*$/.test(page.text.slice(Math.max(0, offset - 100), offset))) return true
  return lineAt(scope, offset).includes(source.title)
}

/** As much of the line as a sentence can have. */
function lineAt({ page }: Scope, offset: number): string {
  const start = Math.max(page.lineStart(offset), offset - 500)
  return page.text.slice(start, Math.min(page.lineStop(offset), start + 1000))
}
