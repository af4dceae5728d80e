/** Quoting strings for YAML, TOML and JSON. */

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

// Control characters, line separators that some readers treat as line ends, byte order marks, lone surrogates.
const UNSAFE =
  /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** One line in double quotes, with escapes that YAML, TOML and JSON all read the same way. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(UNSAFE, escapeCharacter)}"`
}

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Null if single quotes cannot hold the text on one line. */
export function singleQuoted(text: string): string | null {
  return UNSAFE_UNQUOTED.test(text) ? null : `'${text.replaceAll("'", "''")}'`
}

// As above, but quotes and backslashes are ordinary characters; tabs are legal but easily lost.
const UNSAFE_UNQUOTED =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

// Words, numbers and dates that some version of YAML reads as something other than a string.
const OTHER_TYPE =
  /^(?:~|=|<<|y|n|yes|no|on|off|true|false|null|[-+]?\.(?:inf|nan)|[-+]?[.\d][\d_.,:+\-eExXoObBa-fA-F]*|\d{4}-\d\d?-\d\d?.*)$/i

/** Whether YAML reads the bare text back as the same string. */
export function isPlainYaml(text: string, flow: boolean): boolean {
  if (text === '' || text !== text.trim() || UNSAFE_UNQUOTED.test(text) || OTHER_TYPE.test(text)) return false
  if (!/^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:][^\s,[\]{}])/.test(text)) return false
  if (/^(?:---|\.\.\.)/.test(text)) return false
  if (/:(?:\s|$)|\s#/.test(text)) return false
  return !(flow && /[,[\]{}]/.test(text))
}

const LITERAL_UNSAFE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** A YAML literal block with its header; the lines get `indent`. Null if this style would change the text. */
export function literalBlock(text: string, indent: string, lineEnd: string): string | null {
  if (LITERAL_UNSAFE.test(text) || /^\s/.test(text)) return null
  const ended = text.endsWith('\n')
  if (ended && text.slice(text.trimEnd().length, -1).includes('\n')) return null
  const lines = (ended ? text.slice(0, -1) : text).split('\n').map((line) => (line === '' ? '' : indent + line))
  if (text === '' || lines.at(-1)!.trim() === '') return null
  return `${ended ? '|' : '|-'}${lineEnd}${lines.join(lineEnd)}`
}
