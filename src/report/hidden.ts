/**
 * Characters that steer a terminal or are not seen, the one list: control characters, marks of direction, spaces and joiners of
 * no width, tags. In text they are shown as a sign, in JSON as their number.
 */
const unseen =
  '\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb'
const tags = '\\udb40[\\udc00-\\uddef]'
/** Joiners belong into Persian words and into signs that are made of several; between other letters they only hide. */
const strayJoiners = '(?<![^\\u0000-\\u007f])[\\u200c\\u200d]'

const inText = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${unseen}]|${tags}|${strayJoiners}`, 'g')
const inJson = new RegExp(`[${unseen}\\u200c\\u200d]|${tags}`, 'g')

/** Tabs and line ends stay. */
export function showHidden(text: string): string {
  return text.replace(inText, '\ufffd')
}

/** The same document for every reader: outside of its strings JSON has no such characters. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(inJson, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}
