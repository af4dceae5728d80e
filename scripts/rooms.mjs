/**
 * Holds the rooms: the directions between them (dependency-cruiser), and the limits that keep them easy to see: how many
 * files, how large, how many in a folder, and one name for one thing.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config from '../.dependency-cruiser.mjs'

/** On average: the code may grow, but not into crumbs. 67,000 lines are at most 450 files. */
const FEWEST_LINES_A_FILE = 148
const MOST_LINES = 300
/** A file with fewer lines and a single importer belongs into its importer. */
const FEWEST_LINES = 40
const ENTRIES = { fewest: 5, most: 20 }

/** What is beyond a limit for a reason. One that is no longer beyond it has to go, except for sizes, which vary. */
const exceptions = {
  large: {
    'src/convert/convert.ts': 'the table of contents of a conversion',
    'src/harness/read/access.ts': 'how layers become rules, each step short',
    'src/harness/read/codecs.ts': 'one table of codecs',
    'src/harness/schema/harness.ts': 'one schema, and the types that follow from it',
    'src/model/findings.ts': 'one catalogue',
    'src/sync/convert/convert.ts': 'one run of a conversion, from sources to outputs',
    'src/team/engine/chat-reader.ts': 'one class, which has a single position to keep',
    'src/team/state/state.ts': 'one fold over all kinds of records',
  },
  small: {
    'src/hud/sections/built-in.ts': 'the only door from the HUD to generated data',
    'src/project/troupe-keys.ts': 'code is generated from it, so it has no imports',
    'src/team/mcp/protocol.ts': 'a chunk of its own, with the SDK of MCP',
    'src/team/members/protocol.ts': 'a chunk of its own, with the SDK of ACP',
  },
  folders: {
    'src/formats/json': 'beside yaml and toml, and like them',
    'src/hud': 'a pure half and one that reads the disk',
  },
}

const { output } = await cruise(
  ['src', 'plugins'],
  { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true },
  null,
  { tsConfig: extractTSConfig('tsconfig.json') },
)
const { totalCruised, violations } = output.summary
const problems = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
if (totalCruised < 20) problems.push(`dependency-cruiser saw only ${totalCruised} modules; it is not checking anything`)

const files = sourceFiles('src')
const importers = new Map(output.modules.map(({ source, dependents }) => [source, dependents]))
const problemsOf = { large: tooLarge(), small: tooSmall(), folders: oddFolders() }
for (const [kind, found] of Object.entries(problemsOf)) problems.push(...withoutExceptions(kind, found))
problems.push(...namesOfTwoThings())
const lines = files.reduce((sum, file) => sum + file.lines, 0)
if (lines / files.length < FEWEST_LINES_A_FILE)
  problems.push(`src has ${files.length} files for ${lines} lines: fold small ones`)

for (const problem of problems) console.error(problem)
console.log(`${totalCruised} modules, ${files.length} source files, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

/** With the number of lines; generated ones are not ours to look at. */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sourceFiles(path)
    const text = readFileSync(path, 'utf8')
    return [{ path, text, lines: text.split('\n').length - 1 }]
  })
}

function tooLarge() {
  const large = files.filter(({ lines }) => lines > MOST_LINES)
  return large.map(({ path, lines }) => [path, `${path} has ${lines} lines: is it two things?`])
}

function tooSmall() {
  return files.flatMap(({ path, lines }) => {
    const [importer, second] = importers.get(path) ?? []
    if (lines >= FEWEST_LINES || importer === undefined || second !== undefined) return []
    return [[path, `${path} has ${lines} lines and one importer, ${importer}: it belongs there`]]
  })
}

function oddFolders() {
  const entries = new Map()
  for (const { path } of files) {
    for (let at = path; at !== 'src'; at = dirname(at)) {
      const folder = dirname(at)
      entries.set(folder, (entries.get(folder) ?? new Set()).add(at))
    }
  }
  return [...entries]
    .filter(([, { size }]) => size < ENTRIES.fewest || size > ENTRIES.most)
    .map(([folder, { size }]) => [folder, `${folder} has ${size} entries, not ${ENTRIES.fewest} to ${ENTRIES.most}`])
}

function withoutExceptions(kind, found) {
  const known = exceptions[kind]
  const paths = new Set(found.map(([path]) => path))
  const idle = Object.keys(known).filter((path) => kind !== 'large' && !paths.has(path))
  return [
    ...found.filter(([path]) => !Object.hasOwn(known, path)).map(([, problem]) => problem),
    ...idle.map((path) => `${path} is an exception (${kind}) and need not be one`),
  ]
}

/** A name that several files export would have to be read with its path. */
function namesOfTwoThings() {
  const declared = /^export (?:async )?(?:abstract )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
  const places = new Map()
  for (const { path, text } of files)
    for (const [, name] of text.matchAll(declared)) places.set(name, (places.get(name) ?? new Set()).add(path))
  return [...places]
    .filter(([, { size }]) => size > 1)
    .map(([name, paths]) => `${name} is exported by several files: ${[...paths].join(', ')}`)
}
