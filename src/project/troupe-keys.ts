/** The keys of troupe.yaml: for reading it, for editors and for its page. Without imports: code is generated from it. */

export type TroupeKey = (typeof troupeKeys)[number]

/** The allowed keys; `schema/troupe.json` is built from them. */
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
