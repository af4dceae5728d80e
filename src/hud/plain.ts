/** Text that can do nothing: neither to a terminal, nor to the request that it becomes a part of. */

/** Colours and cursors, as programs print them. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Control characters, and what is written without being seen: marks of direction, spaces of no width, tags. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g
const TAGS = /[\u{e0000}-\u{e007f}]+/gu

/** Half of a pair: a model's server may refuse the whole request for it. */
const HALVES = /\p{Cs}/gu

/** Lines and tabs stay. What would close the frame around the sections, or open another, is written otherwise. */
export function plainText(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(HIDDEN, ' ')
    .replace(TAGS, '')
    .replace(HALVES, '\ufffd')
    .replace(/<(?=\/?\s*hud\b)/gi, '‹')
}
