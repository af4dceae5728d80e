/** How we know a fact of a harness file: the most specific path that says so, else the file as a whole. */
import type { Harness } from './schema/harness.ts'

export type Evidence = 'observed' | 'claimed' | 'suggested'

export function evidenceFor({ evidence }: Harness, path: string): Evidence {
  let best: { length: number; mark: Evidence } = { length: -1, mark: evidence.default }
  for (const mark of ['observed', 'claimed', 'suggested'] as const) {
    for (const marked of evidence[mark]) {
      const covers = path === marked || path.startsWith(`${marked}.`)
      if (covers && marked.length > best.length) best = { length: marked.length, mark }
    }
  }
  return best.mark
}
