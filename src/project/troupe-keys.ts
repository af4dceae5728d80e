/** The keys of troupe.yaml, with what they mean: for reading it, for editors and for its page. */

export type TroupeKey = (typeof troupeKeys)[number]

/** What it may say; `schema/troupe.json` is made of the same keys. */
export const troupeKeys = [
  'source',
  'exclude',
  'universalDir',
  'targets',
  'models',
  'accept',
  'ignoreKeys',
  'answers',
  'onGap',
  'keepAsking',
  'hud',
  'work',
] as const
