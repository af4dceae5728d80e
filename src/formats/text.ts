/** Text utilities: the nearest known word, letters as people see them, whole characters, a digest. */

/** The known word that was probably meant by a mistyped one. */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  const wanted = plain(word)
  let best: string | null = null
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate), least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `maxTurns`, `max_turns` and `max-turns` are the same word. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ .]/g, '')
}

/** Letters that are added, lost, replaced, or swapped with the next one; aborted as soon as the limit is reached. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? limit) + 1 : limit
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same, swapped))
    }
    if (Math.min(...next, ...row) >= limit) return limit
    before = row
    row = next
  }
  return row[b.length] ?? limit
}

const LONG_WORD = 60
const MOST_WORDS = 5000

/** The same answers, each found once: files have few different keys and names, and repeat them thousands of times. */
export function rememberWords<T>(find: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    if (word.length > LONG_WORD) return find(word)
    let answer = known.get(word)
    if (answer === undefined) {
      answer = find(word)
      if (known.size >= MOST_WORDS) known.clear()
      known.set(word, answer)
    }
    return answer
  }
}

/** A text as people see it: without invisible characters, and with plain letters for those that look like them. */
const PLAIN = /^[\0-\x7F]*$/

/** Marks that modify a letter, and invisible characters: joiners, direction marks, soft hyphens, empty letters. */
const UNSEEN = /[\p{M}\p{Cf}\u115F\u1160\u3164\uFFA0]/gu

/** What compatibility normalization lacks: letters of other alphabets, and signs. Each text, then its plain letters. */
const alike: readonly (readonly [string, string])[] = [
  ['–—‐‑‒―−', '-------'],
  ['∶꞉ː˸։܃׃', ':::::::'],
  ['“”„«»‘’‚‹›′`', "\"\"\"\"\"'''''''"],
  ['АВЕЅІЈКМНОРСТУХҮԌԚԜ', 'ABESIJKMHOPCTYXYGQW'],
  ['авеѕіјкмнорстухүԍԛԝһԁӏ', 'abesijkmhopctyxygqwhdl'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ['αβεικνορτυχγω', 'abeikvoptuxyw'],
  ['ոսօհցքԼՏՕ', 'nuohgpLSO'],
  ['ıȷɑɡɩʀʟøłđ', 'ijagirlold'],
]

const letters: ReadonlyMap<string, string> = new Map(
  alike.flatMap(([like, plain]) => [...like].map((letter, at) => [letter, plain[at] ?? letter] as const)),
)

export function asSeen(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(/[^\0-\x7F]/gu, (letter) => letters.get(letter) ?? letter)
}

/** FNV-1a with two different seeds, in letters and digits. */
export function hashText(text: string): string {
  let one = 0x811c9dc5
  let other = 0x1000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x01000193)
  }
  return inLetters(one) + inLetters(other)
}

function inLetters(half: number): string {
  return (half >>> 0).toString(36).padStart(7, '0')
}

/** Without these signs at its end. A pattern for them would be quadratic in a long run of signs elsewhere. */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

/** Like `slice`, but omits a character that is cut by a bound. */
export function wholeSlice(text: string, start: number, end = text.length): string {
  const from = start < 0 ? Math.max(0, text.length + start) : Math.min(start, text.length)
  const to = end < 0 ? Math.max(0, text.length + end) : Math.min(end, text.length)
  return text.slice(isWithin(text, from) ? from + 1 : from, isWithin(text, to) ? to - 1 : to)
}

/** Whether an offset is inside a character. */
function isWithin(text: string, at: number): boolean {
  return at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}
