/** A text as people see it: without invisible characters, and with plain letters for those that look like them. */

const PLAIN = /^[\0-\x7F]*$/

/** Marks that change a letter, and what nobody sees: joiners, marks of direction, soft hyphens, empty letters. */
const UNSEEN = /[\p{M}\p{Cf}\u115F\u1160\u3164\uFFA0]/gu

/** What the forms of compatibility do not hold: letters of other alphabets, and signs. Each text beside its plain letters. */
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
