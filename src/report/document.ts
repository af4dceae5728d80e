/** The content of a report, as data: sections, tables, lists and values. The printers decide on the layout. */

export type Form = 'text' | 'markdown' | 'html'

/** A semantic colour; each printer has its own for it. */
export type Tone = 'good' | 'notice' | 'warning' | 'bad' | 'muted'

/**
 * A string is a sentence of ours: text in backticks is printed as code. No kind of text can become markup: printers escape
 * all of it, and only the kinds below produce any.
 */
export type Inline = string | Value | Path | Words | Strong | Small | Badge | Link | Bar | readonly Inline[]

/** A name, a path, a value: code. */
interface Value {
  readonly kind: 'value'
  readonly text: string
  readonly limit: number
}

/** A path that a terminal may cut: its end is most specific. */
interface Path {
  readonly kind: 'path'
  readonly text: string
}

/** Plain words that may come from a file, backticks included. */
interface Words {
  readonly kind: 'words'
  readonly text: string
  readonly limit: number
}

interface Strong {
  readonly kind: 'strong'
  readonly content: Inline
}

/** A minor remark; a page has it in small letters on its own line. */
interface Small {
  readonly kind: 'small'
  readonly tone: Tone
  readonly content: Inline
}

/** A word with a colour. */
export interface Badge {
  readonly kind: 'badge'
  readonly tone: Tone
  readonly text: string
}

/** To a section of the same document; a format without such links prints only its text. */
interface Link {
  readonly kind: 'link'
  readonly to: string
  readonly content: Inline
}

/** Parts of a whole: a page draws them, other formats print the text. */
export interface Bar {
  readonly kind: 'bar'
  readonly text: string
  readonly tone: Tone
  readonly parts: readonly { readonly tone: Tone; readonly label: string; readonly percent: number }[]
}

/** Only printed in these formats; absent: in all. */
interface Shown {
  readonly only?: readonly Form[]
}

export type Block = Section | Folded | Paragraph | List | Facts | Table | Code | Figures | Comment

/** Its level is its depth. */
export interface Section extends Shown {
  readonly kind: 'section'
  readonly title: Inline
  readonly id?: string
  readonly blocks: readonly Block[]
}

/** A section that a page expands on request. */
export interface Folded extends Shown {
  readonly kind: 'folded'
  readonly title: Inline
  /** Beside the title while it is closed. */
  readonly marks: readonly Inline[]
  readonly id?: string
  readonly blocks: readonly Block[]
}

export interface Paragraph extends Shown {
  readonly kind: 'paragraph'
  readonly content: Inline
  readonly role?: 'note' | 'legend' | 'alarm' | 'hint'
}

export interface List extends Shown {
  readonly kind: 'list'
  readonly style: 'bullets' | 'numbers' | 'tasks'
  readonly items: readonly Inline[]
}

export interface Facts extends Shown {
  readonly kind: 'facts'
  readonly rows: readonly Fact[]
  /** In a list each fact is an item; otherwise a line. */
  readonly style: 'list' | 'lines'
  /** What can be done about them. */
  readonly hint?: string
}

export interface Fact extends Shown {
  readonly term: string
  readonly value: Inline
  readonly tone?: Tone
}

export interface Table extends Shown {
  readonly kind: 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Inline[])[]
  /** The main table: a page gives it more room. */
  readonly isOverview?: boolean
  /** How a terminal fits the columns, without a header. */
  readonly layout?: readonly ColumnLayout[]
}

export interface ColumnLayout {
  /** A mark before the name; the name; as wide as its widest cell; or the rest of the line. */
  readonly fit: 'mark' | 'name' | 'fixed' | 'rest'
  /** It is never narrower than this; the rest is left out instead. */
  readonly least?: number
  /** The maximum width of a name in a line of so many columns. */
  readonly most?: (line: number) => number
  /** What a name leaves to the rest, if possible. */
  readonly reserve?: number
  /** Left out of lines with fewer columns. */
  readonly from?: number
  readonly align?: 'end'
  /**
   * A name that is too long has its own line if it fits there; with `own-line` it has one anyway, with `cut` none. The rest
   * is cut, or continues below with `wrap`.
   */
  readonly long?: 'own-line' | 'cut' | 'wrap'
}

export interface Code extends Shown {
  readonly kind: 'code'
  readonly language: string
  readonly text: string
}

/** A few numbers that summarise the result; a share is a percentage. */
export interface Figures extends Shown {
  readonly kind: 'figures'
  readonly items: readonly {
    readonly value: string
    readonly label: string
    readonly tone: Tone | null
    readonly share?: number
  }[]
}

/** For programs that read Markdown: lines of ours, or a prefix of ours with values that the printer quotes. */
export interface Comment extends Shown {
  readonly kind: 'comment'
  readonly name: string
  readonly lines: readonly CommentLine[]
}

export type CommentLine = string | readonly [lead: string, value: string | readonly string[]]

export interface ReportDocument {
  readonly overline: string
  readonly title: Inline
  readonly lead: readonly Block[]
  readonly blocks: readonly Block[]
  readonly foot: readonly Block[]
}

/** How much of a sentence is printed: enough for ours, and a limit for quoted file content. */
export const SENTENCE_LIMIT = 2000

export function value(text: string, limit = 80): Value {
  return { kind: 'value', text, limit }
}

export function words(text: string, limit = 200): Words {
  return { kind: 'words', text, limit }
}

export function path(text: string): Path {
  return { kind: 'path', text }
}

export function small(tone: Tone, content: Inline): Small {
  return { kind: 'small', tone, content }
}

export function strong(content: Inline): Strong {
  return { kind: 'strong', content }
}

export function badge(tone: Tone, text: string): Badge {
  return { kind: 'badge', tone, text }
}

/** "`a`, `b` and `c`", or "`a`, `b`, `c` and 5 more" */
export function someValues(names: readonly string[], most = 3, limit = 60): Inline {
  const shown = names.slice(0, most).map((name) => value(name, limit))
  const rest = names.length - shown.length
  const isLast = (index: number) => rest === 0 && index === shown.length - 1
  const parts = shown.map((one, index) => (index === 0 ? one : [isLast(index) ? ' and ' : ', ', one]))
  return rest > 0 ? [...parts, ` and ${rest} more`] : parts
}

/** "`a`, `b`, `c`" */
export function allValues(names: readonly string[], limit?: number): Inline {
  return names.map((name, index) => (index === 0 ? value(name, limit) : [', ', value(name, limit)]))
}

export function paragraph(content: Inline, role?: Paragraph['role']): Paragraph {
  return { kind: 'paragraph', content, ...(role === undefined ? {} : { role }) }
}

/** None if it is empty; the same holds for lists and tables. */
export function section(title: Inline, blocks: readonly Block[], id?: string): Section[] {
  return blocks.length === 0 ? [] : [{ kind: 'section', title, blocks, ...(id === undefined ? {} : { id }) }]
}

export function listOf(items: readonly Inline[], style: List['style'] = 'bullets'): List[] {
  return items.length === 0 ? [] : [{ kind: 'list', style, items }]
}

export function table(
  columns: readonly string[],
  rows: readonly (readonly Inline[])[],
  layout?: readonly ColumnLayout[],
): Table[] {
  return rows.length === 0 ? [] : [{ kind: 'table', columns, rows, ...(layout === undefined ? {} : { layout }) }]
}

/** The same blocks, in one format only; blocks not meant for it are left out. */
export function only<B extends Block>(form: Form, blocks: readonly B[]): B[] {
  return blocks.filter((block) => isShown(block, form)).map((block) => ({ ...block, only: [form] }))
}

export function isShown({ only: forms }: Shown, form: Form): boolean {
  return forms === undefined || forms.includes(form)
}
