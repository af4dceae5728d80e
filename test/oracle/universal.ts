/** The universal folder of agents: Claude Code's words, read as they are written, enforced by nobody. */
import { type Call, type Reading, roles } from './call.ts'
import { cutFrontMatter, findKey } from './front-matter.ts'
import { denialsByName, patternsIn, saidAccess } from './said.ts'

export function readUniversal(text: string): Reading {
  const { header } = cutFrontMatter(text)
  const said = saidAccess(header, { grants: 'tools', denials: 'disallowedTools' })
  const isEmpty = header !== null && findKey(header, 'tools').some((found) => found.clear && found.value === null)
  return {
    said: (call: Call) => (isEmpty ? 'deny' : said(call)),
    given: () => 'offer',
    denies: denialsByName(header),
    names: () => false,
    roles,
    loads: header !== null,
    disabled: false,
    patterns: patternsIn(text),
    keys: header === null ? '' : JSON.stringify([findKey(header, 'tools'), findKey(header, 'disallowedTools')]),
  }
}
