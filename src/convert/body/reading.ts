/** What a prompt says, whatever it is to become: found out once, also where it goes to several targets one after the other. */
import type { Harness } from '../../harness/schema/harness.ts'
import { openPage, type Page } from './page/page.ts'
import type { Pass } from './proposal.ts'
import { type Spotted, spot } from './spotting.ts'
import { findReferences, type Reference } from './words/references.ts'

export interface Reading {
  readonly text: string
  readonly source: Harness
  readonly page: Page
  readonly spotted: Spotted
  /** The places that name a tool of the source. */
  readonly references: () => readonly Reference[]
}

let last: Reading | null = null

export function readPrompt(text: string, source: Harness, passes: readonly Pass[]): Reading {
  if (last !== null && last.source === source && last.text === text) return last
  const page = openPage(text)
  const spotted = spot(text, source, passes)
  let references: readonly Reference[] | null = null
  last = {
    text,
    source,
    page,
    spotted,
    references: () => {
      references ??= findReferences(page, source, spotted.tools)
      return references
    },
  }
  return last
}
