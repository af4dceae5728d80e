/** What a model is shown, for people: whose words, how many, and how they begin. */
import { estimateTokens, type Portrait, type WireText } from '../model/portrait.ts'
import { cut, oneLine, pad, plural, wrap } from './layout.ts'
import type { Style } from './style.ts'

export function portraitText(name: string, portrait: Portrait, style: Style, columns: number): string[] {
  const { title, version, as, model, parameters, texts, tools, toolCharacters } = portrait
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0)
  const tokens = estimateTokens(characters + toolCharacters)
  const role = as === 'main' ? 'the main session' : 'a subagent'
  const lines = [
    `${style.bold(oneLine(name))} in ${title}${version === null ? '' : ` ${version}`}, as ${role}`,
    style.dim(`about ${plural(tokens, 'token')} before the first word of a task, at four characters each`),
    '',
  ]
  const width = Math.max(...['model', 'tools', ...Object.keys(parameters)].map((key) => key.length)) + 2
  const label = (text: string) => style.cyan(pad(text, width))
  lines.push(`${label('model')}${oneLine(model)}`)
  for (const [key, value] of Object.entries(parameters)) {
    lines.push(
      `${label(oneLine(key))}${cut(oneLine(typeof value === 'string' ? value : JSON.stringify(value)), columns - width)}`,
    )
  }
  const list = tools.length === 0 ? 'none' : tools.join(', ')
  // Some harnesses describe tools elsewhere than among the tools.
  const size = toolCharacters < 10 ? '' : ` (about ${plural(estimateTokens(toolCharacters), 'token')})`
  for (const [index, line] of wrap(`${list}${size}`, columns - width).entries()) {
    lines.push(`${index === 0 ? label('tools') : ' '.repeat(width)}${line}`)
  }
  for (const where of ['system', 'message'] as const) {
    const own = texts.filter((one) => one.in === where)
    if (own.length === 0) continue
    const size = own.reduce((sum, { text }) => sum + text.length, 0)
    const heading = where === 'system' ? 'system prompt' : 'messages before the task'
    lines.push('', `${style.bold(heading)}, ${plural(size, 'character')}`)
    for (const text of own) lines.push(...textLines(text, title, style, columns))
  }
  lines.push('', style.dim('--wire --prompt prints the whole system prompt, --json everything.'))
  return lines
}

/** The beginning is enough to know it by. */
function textLines({ whose, text }: WireText, title: string, style: Style, columns: number): string[] {
  const owner = whose === 'agent' ? 'the agent' : whose === 'project' ? 'the project' : title
  const paint = whose === 'harness' ? style.dim : whose === 'agent' ? style.green : style.yellow
  const size = plural(text.length, 'character')
  const beginning = cut(oneLine(text.slice(0, 400)), columns - 4)
  return [`  ${paint(owner)}, ${size}`, `    ${style.dim(beginning)}`]
}
