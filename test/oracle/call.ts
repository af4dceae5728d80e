/** What the evaluator speaks of: calls in neutral words, the two roles of an agent, and the four answers in their order. */

/** A tool by its neutral name, or `mcp:server/tool`; and what it is called with: a path, a command, an address, a name. */
export interface Call {
  readonly tool: string
  readonly argument: string
}

export type Role = 'main' | 'child'
export const roles = ['main', 'child'] as const satisfies readonly Role[]

/** From the least to the most. */
export const answers = ['deny', 'ask', 'offer', 'allow'] as const
export type Answer = (typeof answers)[number]

export function lesser(one: Answer, other: Answer): Answer {
  return answers.indexOf(one) < answers.indexOf(other) ? one : other
}

export function greater(one: Answer, other: Answer): Answer {
  return answers.indexOf(one) < answers.indexOf(other) ? other : one
}

/** Tools of equal power: whoever has one of a group has the group. */
export const groups: readonly (readonly string[])[] = [
  ['read', 'glob', 'grep', 'list'],
  ['write', 'edit', 'notebook'],
]

/** These do nothing to the machine: they count only where the definition denies them by name or by a pattern. */
export const soft: readonly string[] = ['skill', 'ask', 'todo', 'task', 'plan', 'message', 'team']

export const hard: readonly string[] = [...groups.flat(), 'shell', 'fetch', 'search', 'delegate']

export const allTools: readonly string[] = [...hard, ...soft]

const paths = new Set(groups.flat())

export function takesPath(tool: string): boolean {
  return paths.has(tool)
}

/** The two halves of `mcp:server/tool`; null for any other tool. */
export function serverTool(tool: string): { readonly server: string; readonly tool: string } | null {
  if (!tool.startsWith('mcp:')) return null
  const cut = tool.indexOf('/')
  return { server: tool.slice(4, cut), tool: tool.slice(cut + 1) }
}

/** What one definition file comes to. */
export interface Reading {
  /** By its clear words: silence means all, a key that cannot be read clearly allows nothing. */
  said(call: Call, role: Role): Answer
  /** What the real program enforces for these words. `own`: without the defaults that nobody wrote. */
  given(call: Call, role: Role, own?: boolean): Answer
  /** The model is told of the tool, where that is another question than what becomes of its calls. */
  offers?(tool: string, role: Role): boolean
  /** It takes a tool of this kind away by its name, or by a pattern of names. */
  denies(call: Call): boolean
  /** It gives this tool by its name. */
  names(tool: string): boolean
  /** In which roles the program can run it. */
  readonly roles: readonly Role[]
  /** The real program takes the file; one that it does not take is judged by its words all the same. */
  readonly loads: boolean
  readonly disabled: boolean
  /** What patterns it has, to make calls of. */
  readonly patterns: readonly string[]
  /** The access keys as they are written, to see whether two files say the same. */
  readonly keys: string
}
