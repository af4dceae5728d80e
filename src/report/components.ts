/** A list of components for people: grouped by kind and by the harnesses that read them. */
import { type Component, type ComponentKind, componentKinds, componentWords } from '../model/component.ts'
import { displayWidth, oneLine, plural, wrap } from './layout.ts'
import { paintSeverity, type Style, severitySign } from './print-text.ts'

const headings: Readonly<Record<ComponentKind, string>> = {
  plugin: 'Plugins',
  marketplace: 'Marketplaces',
  instructions: 'Instructions',
  skill: 'Skills',
  command: 'Slash commands',
  server: 'MCP servers',
  hook: 'Hooks',
}

/** "2 skills", "1 MCP server", in the order of lists. */
export function countComponents(all: readonly Pick<Component, 'kind'>[]): string[] {
  return componentKinds.flatMap((kind) => {
    const count = all.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [plural(count, ...componentWords[kind])]
  })
}

export function componentListText(all: readonly Component[], style: Style, columns: number): string[] {
  return componentKinds.flatMap((kind) => {
    const some = all.filter((one) => one.kind === kind)
    if (some.length === 0) return []
    return ['', `${style.bold(headings[kind])} ${style.dim(String(some.length))}`, ...rows(some, style, columns)]
  })
}

/** Those in one folder that the same harnesses read are one paragraph. */
function rows(all: readonly Component[], style: Style, columns: number): string[] {
  const groups = new Map<string, Component[]>()
  for (const one of all) {
    const key = `${folderOf(one)}\n${one.plugin === null ? 'read' : 'loaded'}\n${one.readBy.join(', ')}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups].flatMap(([key, some]) => {
    const [folder = '', verb, readers] = key.split('\n')
    const by = readers === '' ? `${verb} by no program` : `${verb} by ${readers}`
    const names = wrap(some.map((one) => nameText(one, style)).join(', '), columns - 4)
    const isBeside = displayWidth(folder) + displayWidth(by) + 4 <= columns
    const head = isBeside
      ? [`  ${folder}  ${style.dim(by)}`]
      : [`  ${folder}`, ...wrap(by, columns - 4).map((line) => `    ${style.dim(line)}`)]
    return [...head, ...names.map((line) => `    ${line}`)]
  })
}

function nameText({ name, files, diagnostics }: Component, style: Style): string {
  const worst = diagnostics.find(({ severity }) => severity !== 'info')?.severity
  const sign = worst === undefined ? '' : `${paintSeverity(style, worst)(severitySign(worst))} `
  return `${sign}${oneLine(name)}${files.length > 1 ? ` (${files.length} files)` : ''}`
}

/** A skill is its folder; entries share a file. */
function folderOf({ kind, path }: Component): string {
  const shown = oneLine(path)
  const steps = kind === 'skill' ? 2 : kind === 'instructions' || kind === 'command' ? 1 : 0
  const parts = shown.split('/')
  return parts.slice(0, parts.length - steps).join('/') || '.'
}
