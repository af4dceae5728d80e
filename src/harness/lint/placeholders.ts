/** Placeholders in the texts of a harness file: which each text can have, and which it must have. */
import type { DataMap } from '../schema/merge.ts'
import type { Path } from './places.ts'
import { type Complaint, didYouMean } from './shape.ts'
import { textsIn } from './words.ts'

interface Template {
  readonly places: readonly string[]
  readonly known: readonly string[]
  readonly needed?: readonly string[]
}

const embodied = [
  'private',
  'name',
  'file',
  'body',
  'definition',
  'tools',
  'granted',
  'excluded',
  'model',
  'prompt',
  'session',
  'secret',
  'node',
  'words',
  'mcp',
  'workplace',
  'token',
  'team',
  'keys',
  'key',
  'value',
  'request',
  'folder',
  'project',
  'home',
]
const run = [
  'home',
  'project',
  'stub',
  'name',
  'display',
  'prompt',
  'hashes',
  'providers',
  'folder',
  'request',
  'tools',
]

const templates: readonly Template[] = [
  {
    places: ['composition.syntax', 'fields.*.config.path', 'settings.*.says.*.at', 'settings.*.says.*.items'],
    known: ['name'],
  },
  { places: ['mcp', 'mcp.tool'], known: ['server', 'tool'], needed: ['server', 'tool'] },
  { places: ['mcp.server'], known: ['server'], needed: ['server'] },
  { places: ['workarounds.*.say', 'workarounds.*.note', 'workarounds.*.none', 'notes'], known: ['title'] },
  {
    places: [
      'args',
      'stdin',
      'environment.*',
      'files.*',
      'files.@',
      'fresh',
      'resume',
      'model',
      'keys.args',
      'agent',
    ].map((place) => `embody.${place}`),
    known: embodied,
  },
  {
    places: ['', 'load.', 'main.', 'child.'].flatMap((part) =>
      ['args', 'stdin', 'environment.*', 'files.*', 'files.@', 'copies.*', 'copies.@'].map(
        (place) => `oracle.${part}${place}`,
      ),
    ),
    known: run,
  },
]

export function placeholderComplaints(data: DataMap): Complaint[] {
  return [...templates.flatMap((template) => wrongIn(data, template)), ...placesToWrite(data), ...placesToRead(data)]
}

function wrongIn(data: DataMap, { places, known, needed = [] }: Template): Complaint[] {
  return places.flatMap((place) =>
    textsIn(data, place).flatMap(({ text, path }) => {
      const at = place.endsWith('@') ? 'key' : 'value'
      return [...unknownIn(text, known), ...missingIn(text, needed)].map((message) => ({ path, at, message }) as const)
    }),
  )
}

function unknownIn(text: string, known: readonly string[]): string[] {
  const names = [...text.matchAll(/(?<![${])\{(?:\.\.\.)?([A-Za-z]\w*)\}/g)].map(([, name = '']) => name)
  return names
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `"{${name}}" is not a placeholder here. ${didYouMean(name, known) || `There is ${known.map((one) => `{${one}}`).join(', ')}.`}`,
    )
}

function missingIn(text: string, needed: readonly string[]): string[] {
  return needed.filter((name) => !text.includes(`{${name}}`)).map((name) => `"${text}" needs {${name}}.`)
}

const scopes = ['project', 'user', 'managed']

/** A file for each agent needs its name, in the file's own or in that of a folder. */
function placesToWrite(data: DataMap): Complaint[] {
  const found = scopes.flatMap((scope) => textsIn(data, `carriers.*.${scope}.write`))
  const isOfMany = ([, id]: Path) => textsIn(data, `carriers.${String(id)}.agents.as`).length > 0
  return found.flatMap(({ text, path }) => {
    const messages = [...unknownIn(text, ['name']), ...(isOfMany(path) ? [] : missingIn(text, ['name']))]
    // A misspelt name is one mistake.
    return messages.slice(0, 1).map((message) => ({ path, at: 'value', message }) as const)
  })
}

/** Braces in a glob hold a choice; a placeholder there would match its own letters. */
function placesToRead(data: DataMap): Complaint[] {
  const found = scopes
    .flatMap((scope) => [`carriers.*.${scope}`, `carriers.*.${scope}.read`])
    .flatMap((place) => textsIn(data, place))
  return found.flatMap(({ text, path }) => {
    const [braces] = /(?<!\$)\{[^{},]*\}/.exec(text) ?? []
    if (braces === undefined) return []
    return [{ path, at: 'value', message: `"${braces}" is not a choice of names such as {a,b}. Use * for any name.` }]
  })
}
