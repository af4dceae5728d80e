/** The keys of a section's front matter: what each means, which values it takes, and how it is read. */
import { type ExtraSource, refreshes, type SectionSettings, sectionPositions } from './section.ts'

export interface Key<T = unknown> {
  readonly about: string
  /** JSON Schema. */
  readonly schema: object
  /** What a value must be, as the end of a sentence. */
  readonly expects: string
  /** Undefined: invalid. */
  readonly read: (value: unknown) => T | undefined
}

const text = (about: string): Key<string> => ({
  about,
  schema: { type: 'string', minLength: 1 },
  expects: 'text',
  read: (value) => {
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  },
})

const flag = (about: string): Key<boolean> => ({
  about,
  schema: { type: 'boolean', default: false },
  expects: 'true or false',
  read: (value) => {
    if (value === 'true' || value === 'false') return value === 'true'
    return typeof value === 'boolean' ? value : undefined
  },
})

const number = (about: string, least: number, whole = false): Key<number> => ({
  about,
  schema: { type: whole ? 'integer' : 'number', minimum: least },
  expects: whole ? `a whole number, at least ${least}` : `a number, at least ${least}`,
  read: (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least) return undefined
    return !whole || Number.isInteger(value) ? value : undefined
  },
})

const choice = <T extends string>(
  about: string,
  values: readonly T[],
  also: Readonly<Record<string, T>> = {},
): Key<T> => ({
  about,
  schema: { enum: [...values, ...Object.keys(also)] },
  expects: `one of ${values.join(', ')}`,
  read: (value) => {
    if (typeof value !== 'string') return undefined
    return values.find((one) => one === value) ?? (Object.hasOwn(also, value) ? also[value] : undefined)
  },
})

const PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/
const seconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 }

/** Names of sources that are always available; the second ones are aliases. */
export const knownSources: Readonly<Record<string, string>> = {
  context: 'context',
  'context-tracker': 'context',
  session: 'session',
  'session-info': 'session',
  git: 'git',
  tasks: 'tasks',
  workplace: 'workplace',
  work: 'work',
}

/** A name, or a map from names to files and commands. */
const oneSource = [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }]

/** By the name of the key. */
export const sectionKeys = {
  name: text('The name of the section. It overrides a section with the same name in a layer below.'),
  section: text('An alias of `name`.'),
  description: text('What the section is for. The model does not see it.'),
  position: choice('Where it is shown; also the order.', sectionPositions, { top: 'header' }),
  priority: {
    ...number('Lower comes first, and gets its share of the budget first.', Number.MIN_SAFE_INTEGER),
    schema: { type: 'number', default: 50 },
    expects: 'a number',
  },
  refresh: choice('When its text is updated: for every prompt, on demand, after an interval, or once.', refreshes),
  interval: {
    about: 'For `refresh: periodic`: seconds, or a duration such as `30s`, `5m`, `1h`.',
    schema: {
      anyOf: [
        { type: 'number', minimum: 1 },
        { type: 'string', pattern: '^\\d+[smh]?$' },
      ],
    },
    expects: 'a number of seconds, or a duration such as 30s, 5m or 1h',
    read: (value: unknown) => {
      const match = /^(\d{1,7})([smh]?)$/.exec(String(value))
      const result = match === null ? 0 : Number(match[1]) * (seconds[match[2] ?? ''] ?? 1)
      return result >= 1 ? result : undefined
    },
  } satisfies Key<number>,
  value: {
    about: 'The value that is compared with `collapse-threshold`.',
    schema: { type: 'string', pattern: PATH.source, default: 'context.percentage' },
    expects: 'the name of a value, such as context.percentage',
    read: (value: unknown) => (typeof value === 'string' && PATH.test(value) ? value.split('.') : undefined),
  } satisfies Key<string[]>,
  'collapse-threshold': number(
    'Below this value the section is left out, or reduced to one line with `always-show`.',
    0,
  ),
  'always-show': flag('Below the threshold, show one line instead of nothing.'),
  'data-sources': {
    about:
      'Where its data comes from: names of sources, `file:PATH` in the project, or `command:LINE` once it is trusted. `tests: file:reports/tests.json` names the data.',
    schema: { anyOf: [...oneSource, { type: 'array', items: { anyOf: oneSource } }] },
    expects: `a list of ${Object.keys(knownSources).join(', ')}, file:PATH or command:LINE`,
    read: readSources,
  } satisfies Key<ExtraSource[]>,
  'max-length': number('The maximum length in characters. Longer text is cut at a line and marked.', 1, true),
  agents: {
    about: 'The agents that see it; `*` matches any characters. Default: every agent.',
    schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] },
    expects: 'a list of names',
    read: (value: unknown) => {
      const names = [value].flat()
      return names.every((one) => typeof one === 'string' && one !== '') ? (names as string[]) : undefined
    },
  } satisfies Key<string[]>,
  when: {
    about: 'A condition, such as `context.percentage > 70` or `git.dirty`.',
    schema: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    expects: 'a condition',
    read: (value: unknown) => (typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined),
  } satisfies Key<string>,
  disable: flag('Turns the section off, including one in a layer below.'),
} as const

export type KeyName = keyof typeof sectionKeys

/** Where the value of a key goes; `name`, `section` and `when` are read separately. */
export const places: Partial<Record<KeyName, keyof SectionSettings>> = {
  description: 'description',
  position: 'position',
  priority: 'priority',
  refresh: 'refresh',
  interval: 'interval',
  value: 'value',
  'collapse-threshold': 'collapseThreshold',
  'always-show': 'alwaysShow',
  'data-sources': 'sources',
  'max-length': 'maxLength',
  agents: 'agents',
  disable: 'disabled',
}

/** Keys that decide who may see the section: if one is invalid, the section is left out. */
export const guards: ReadonlySet<string> = new Set<KeyName>(['agents', 'when', 'disable'])

function readSources(value: unknown): ExtraSource[] | undefined {
  const sources: ExtraSource[] = []
  for (const item of [value].flat()) {
    const pairs = typeof item === 'string' ? [[null, item] as const] : entriesOf(item)
    for (const [name, source] of pairs) {
      const read = readSource(name, source)
      if (read === undefined) return undefined
      if (read !== null) sources.push(read)
    }
  }
  return sources
}

function entriesOf(item: unknown): (readonly [string | null, unknown])[] {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item) : [[null, item]]
}

/** Null: a source that is always available. */
function readSource(name: string | null, source: unknown): ExtraSource | null | undefined {
  if (typeof source !== 'string') return undefined
  if (Object.hasOwn(knownSources, source)) return name === null ? null : undefined
  const match = /^(file|command):\s*(\S[\s\S]*)$/.exec(source)
  if (match === null) return undefined
  const kind = match[1] === 'file' ? 'file' : 'command'
  const of = (match[2] ?? '').trim()
  const own = name ?? nameFor(kind, of)
  // A name that is already taken would hide the other source.
  if (!PATH.test(own) || own.includes('.') || Object.hasOwn(knownSources, own)) return undefined
  return { name: own, kind, of }
}

/** `reports/test-results.json` is `test-results`; a command is named by its first word. */
function nameFor(kind: ExtraSource['kind'], of: string): string {
  const word = (kind === 'file' ? of : (of.split(/\s/)[0] ?? '')).split('/').at(-1) ?? ''
  return word.replace(/\.[^.]*$/, '').replace(/[^\w-]/g, '-')
}
