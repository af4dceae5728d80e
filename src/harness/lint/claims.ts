/** Whether what a harness file says in one place fits what it says in another. */
import { harnessSchema } from '../schema/harness.ts'
import { type DataMap, isDataMap } from '../schema/merge.ts'
import { type Complaint, didYouMean, hasEntry } from './shape.ts'
import { textsIn, unitNames } from './words.ts'

/** `own`: what the file says itself. `data`: with what it extends. */
export function claimComplaints(own: DataMap, data: DataMap): Complaint[] {
  return [
    ...evidencePaths(own, data),
    ...observedWithoutVersion(own, data),
    ...carriersWithoutKeys(data),
    ...keysForTwoConcepts(data),
    ...valuesThatDiffer(data),
    ...modelsNotAccepted(data),
    ...brokenPatterns(data),
  ]
}

const marks = ['observed', 'claimed', 'suggested'] as const

function evidencePaths(own: DataMap, data: DataMap): Complaint[] {
  return marks.flatMap((mark) =>
    textsIn(own, `evidence.${mark}`).flatMap(({ text, path }) => {
      const steps = text.split('.')
      if (holds(data, steps) || namesUnit(data, steps) || hasEntry(harnessSchema, steps)) return []
      return [
        {
          path,
          at: 'value' as const,
          message: `"${text}" is not in this file. ${didYouMean(text, nearPaths(data, steps))}`,
        },
      ]
    }),
  )
}

/** Keys may have dots of their own. */
function holds(value: unknown, steps: readonly string[]): boolean {
  if (steps.length === 0) return value !== undefined
  if (!isDataMap(value)) return false
  return steps.some((_, at) => {
    const key = steps.slice(0, at + 1).join('.')
    return Object.hasOwn(value, key) && holds(value[key], steps.slice(at + 1))
  })
}

/** `units.Read` also where the name has a short form. */
function namesUnit(data: DataMap, [section, ...name]: readonly string[]): boolean {
  return section === 'units' && unitNames(data).includes(name.join('.'))
}

function nearPaths(data: DataMap, steps: readonly string[]): string[] {
  const [section = '', ...rest] = steps
  const inside = data[section]
  if (rest.length === 0 || !isDataMap(inside)) return Object.keys(data)
  const names = section === 'units' ? unitNames(data) : Object.keys(inside)
  return names.map((name) => `${section}.${name}`)
}

function observedWithoutVersion(own: DataMap, data: DataMap): Complaint[] {
  const { evidence } = own
  const isObserved = evidence === 'observed' || (isDataMap(evidence) && evidence.default === 'observed')
  const version = isDataMap(data.checked) ? data.checked.version : null
  if (!isObserved || typeof version === 'string') return []
  const path = evidence === 'observed' ? ['evidence'] : ['evidence', 'default']
  return [
    {
      path,
      at: 'value',
      message: 'What was observed needs the version it was observed with: checked.version is missing.',
    },
  ]
}

function carriersWithoutKeys(data: DataMap): Complaint[] {
  return entriesOf(data.carriers)
    .flatMap(([id, { prompt, name }]) => {
      const at = 'key' as const
      const complaints: Complaint[] = []
      if (isDataMap(prompt) && prompt.in === 'key' && prompt.key === undefined)
        complaints.push({
          path: ['carriers', id, 'prompt'],
          at,
          message: 'A prompt in a key needs the name of the key: key is missing.',
        })
      if (isDataMap(prompt) && prompt.in === 'beside' && prompt.file === undefined)
        complaints.push({
          path: ['carriers', id, 'prompt'],
          at,
          message: 'A prompt beside the agent needs the name of its file: file is missing.',
        })
      if (isDataMap(name) && name.key === undefined && name.path === undefined)
        complaints.push({ path: ['carriers', id, 'name'], at, message: 'A name needs a key or a path.' })
      return complaints
    })
    .concat(pluginCarrier(data))
}

function pluginCarrier({ plugins, carriers }: DataMap): Complaint[] {
  const id = isDataMap(plugins) ? plugins.carrier : undefined
  const carrier = typeof id === 'string' && isDataMap(carriers) ? carriers[id] : undefined
  if (!isDataMap(carrier) || carrier.plugin === true) return []
  return [
    { path: ['plugins', 'carrier'], at: 'value', message: `"${String(id)}" is a kind of file without plugin: true.` },
  ]
}

function keysForTwoConcepts(data: DataMap): Complaint[] {
  const seen = new Map<string, string>()
  const complaints: Complaint[] = []
  for (const [concept, field] of Object.entries(isDataMap(data.fields) ? data.fields : {})) {
    const key = keyOf(concept, field)
    if (key === null) continue
    const other = seen.get(key)
    const path = isDataMap(field) ? ['fields', concept, 'key'] : ['fields', concept]
    if (other !== undefined) complaints.push({ path, at: 'value', message: `"${key}" is the key of ${other} too.` })
    else if (isDataMap(data.nativeKeys) && Object.hasOwn(data.nativeKeys, key))
      complaints.push({
        path: ['nativeKeys', key],
        at: 'key',
        message: `"${key}" is the key of ${concept}: it needs no entry here.`,
      })
    seen.set(key, concept)
  }
  return complaints
}

function keyOf(concept: string, field: unknown): string | null {
  if (typeof field === 'string') return field
  if (!isDataMap(field) || field.embedded !== undefined || field.config !== undefined) return null
  return typeof field.key === 'string' ? field.key : concept
}

/** What is written must be something that is read. */
function valuesThatDiffer(data: DataMap): Complaint[] {
  return entriesOf(data.fields).flatMap(([concept, field]) => {
    const values = Array.isArray(field.values) ? field.values.map(String) : null
    if (values === null) return []
    const said = [...entriesOf(field, true).filter(([key]) => key === 'default' && field.embedded === undefined)]
    const own = said.map(([key, value]) => [[key], value] as const)
    const mapped = Object.entries(isDataMap(field.map) ? field.map : {}).map(
      ([key, value]) => [['map', key], value] as const,
    )
    // A default is in neutral words where there is a map.
    const judged = mapped.length > 0 ? mapped : own
    return judged
      .filter(([, value]) => !values.includes(String(value)))
      .map(([path, value]) => ({
        path: ['fields', concept, ...path],
        at: 'value' as const,
        message: `"${String(value)}" is none of the values. ${didYouMean(String(value), values)}`,
      }))
  })
}

function modelsNotAccepted({ models }: DataMap): Complaint[] {
  if (!isDataMap(models) || typeof models.pattern !== 'string' || !isRegExp(models.pattern)) return []
  const pattern = new RegExp(models.pattern, 'u')
  const aliases = textsIn(models, 'aliases').map(({ text }) => text)
  const ids = ['tiers.*'].flatMap((place) => textsIn(models, place))
  return ids
    .filter(({ text }) => !pattern.test(text) && !aliases.includes(text) && text !== models.inherit)
    .map(({ text, path }) => ({
      path: ['models', ...path],
      at: 'value',
      message: `"${text}" is neither an alias nor fits models.pattern. ${didYouMean(text, aliases)}`,
    }))
}

/** Patterns that are used as such, and that the schema takes for texts. */
const patterns = [
  'plugins.name',
  'plugins.agentPath',
  'oracle.load.loaded.pattern',
  'oracle.load.problems.pattern',
  'oracle.version.pattern',
]

function brokenPatterns(data: DataMap): Complaint[] {
  return patterns
    .flatMap((place) => textsIn(data, place))
    .filter(({ text }) => !isRegExp(text))
    .map(({ text, path }) => ({ path, at: 'value', message: `"${text}" is not a regular expression.` }))
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

function entriesOf(value: unknown): [string, DataMap][]
function entriesOf(value: unknown, any: true): [string, unknown][]
function entriesOf(value: unknown, any = false): [string, unknown][] {
  const all = Object.entries(isDataMap(value) ? value : {})
  return any ? all : all.filter(([, one]) => isDataMap(one))
}
