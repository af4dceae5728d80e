/** Whether a text uses a tool's word in another sense too: C# tasks, Bash the language, traits of Rust. */
import { otherMeanings } from './english.ts'

export interface Meanings {
  readonly hasOther: (key: string) => boolean
}

/** Looks at the text only for words that can mean something else, and once for each. */
export function meaningsIn(text: string): Meanings {
  const known = new Map<string, boolean>()
  return {
    hasOther: (key) => {
      let other = known.get(key)
      if (other === undefined) {
        other = otherMeanings[key]?.test(text) ?? false
        known.set(key, other)
      }
      return other
    },
  }
}
