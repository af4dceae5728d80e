/** What harnesses did with agents, for people: what is as predicted in one line, differences side by side. */
import {
  type CapturedRequest,
  estimateTokens,
  isAsPredicted,
  isUsable,
  type VerifiedAgent,
  type VerifiedFact,
  type VerifiedHarness,
  type WireText,
} from '../model/verification.ts'
import { cut, displayWidth, oneLine, pad, plural, wrap } from './layout.ts'
import type { Style } from './print-text.ts'

interface VerificationTextOptions {
  readonly live: boolean
}

export function verificationText(
  results: readonly VerifiedHarness[],
  options: VerificationTextOptions,
  style: Style,
  columns: number,
): string[] {
  if (results.length === 0) return ['No agents here belong to a harness that Troupe can run.']
  const lines = results.flatMap((result) => ['', ...harnessLines(result, style, columns)]).slice(1)
  const agents = results.flatMap((one) => one.agents)
  const good = agents.filter(isAsPredicted).length
  const bad = agents.length - good
  const broken = agents.filter((agent) => isAsPredicted(agent) && !isUsable(agent)).length
  const summary = [good > 0 ? `${plural(good, 'agent')} as predicted` : null, bad > 0 ? `${bad} not` : null].filter(
    (one) => one !== null,
  )
  if (agents.length > 0) lines.push('', style.bold(`${summary.join(', ')}.`))
  const things = new Set(agents.flatMap(({ checks }) => checks.map(({ what }) => what)))
  if (things.size > 0) lines.push(...wrap(`Compared: ${[...things].join(', ')}.`, columns).map(style.dim))
  if (broken > 0) {
    lines.push(`${broken === 1 ? 'One of them does' : `${broken} of them do`} not work; \`troupe check\` says why.`)
  }
  if (!options.live && bad === 0 && good > 0) {
    lines.push(style.dim('`troupe verify --live` also compares what reaches the model: prompt, tools, model.'))
  }
  const differs = agents.some(({ checks, unexpected }) => unexpected || checks.some(({ ok }) => !ok))
  if (differs) {
    const advice =
      'A difference is a bug in Troupe, or the harness has changed. Please report it with the output of --json, which contains no prompts and no secrets.'
    lines.push(...wrap(advice, columns).map(style.dim))
  }
  return lines
}

function harnessLines(
  { title, version, checkedWith, problems, notes, agents }: VerifiedHarness,
  style: Style,
  columns: number,
): string[] {
  const known =
    version === null
      ? ''
      : version === checkedWith
        ? `${version}, as checked`
        : `${version}, checked with ${checkedWith}`
  const lines = [`${style.bold(title)} ${style.dim(known)}`.trimEnd()]
  const indented = (text: string, paint: (line: string) => string) =>
    wrap(oneLine(text), columns - 4).forEach(
      (line, index) => void lines.push(`${index === 0 ? '  ' : '    '}${paint(line)}`),
    )
  for (const problem of problems) indented(`✗ ${problem}`, style.red)
  for (const note of notes) indented(note, style.yellow)
  const widest = agents.reduce((most, { name }) => Math.max(most, displayWidth(oneLine(name))), 0)
  const width = Math.min(Math.max(28, Math.floor(columns * 0.4)), widest)
  for (const agent of agents) lines.push(...agentLines(agent, width, style, columns))
  return lines
}

function agentLines(agent: VerifiedAgent, width: number, style: Style, columns: number): string[] {
  const { name, notes, problems, checks } = agent
  const sign = !isAsPredicted(agent) ? style.red('✗') : isUsable(agent) ? style.green('✓') : style.yellow('!')
  const said = [wordFor(agent), ...notes].join('; ')
  // Names are meant to be copied: one that is too long has its own line.
  const isLong = displayWidth(oneLine(name)) > width
  const rest = `${pad(isLong ? '' : oneLine(name), width)}  ${style.dim(cut(said, Math.max(20, columns - width - 6)))}`
  const lines = isLong ? [`  ${sign} ${oneLine(name)}`, `    ${rest}`] : [`  ${sign} ${rest}`]
  for (const problem of problems) {
    lines.push(...wrap(oneLine(problem), columns - 6).map((line) => `      ${line}`))
  }
  for (const check of checks.filter(({ ok }) => !ok)) lines.push(...difference(check, style, columns))
  return lines
}

function wordFor(agent: VerifiedAgent): string {
  const { loaded, checks, unexpected } = agent
  if (unexpected) return 'loaded, but unknown to Troupe'
  const foreseen = isAsPredicted(agent) ? ', as predicted' : ''
  if (!loaded) return `not loaded${foreseen}`
  if (!isUsable(agent)) return `loaded, but fails when used${foreseen}`
  const roles = [...new Set(checks.flatMap(({ as }) => as ?? []))]
  const played = roles.map((role) => (role === 'main' ? 'main session' : 'subagent')).join(' and ')
  return `loaded${played === '' ? '' : ` and run as ${played}`}, ${plural(checks.length, 'check')}`
}

/** Predicted above observed; for lists, only the differences. */
function difference({ what, as, predicted, observed }: VerifiedFact, style: Style, columns: number): string[] {
  const role = as === null ? '' : as === 'main' ? ', as main session' : ', as subagent'
  const lines = [`      ${style.bold(what)}${role}`]
  const between = what === 'permissions' ? '; ' : ', '
  if (what === 'permissions' || (what === 'tools' && !observed.startsWith('no request'))) {
    const [before, after] = [predicted, observed].map((list) => list.split(between).filter((one) => one !== 'none'))
    const missing = (before ?? []).filter((one) => !after?.includes(one))
    const extra = (after ?? []).filter((one) => !before?.includes(one))
    if (missing.length > 0) lines.push(...observedLines('missing', missing.join(between), columns))
    if (extra.length > 0) lines.push(...observedLines('more', extra.join(between), columns))
    if (missing.length + extra.length > 0) return lines
  }
  return [...lines, ...observedLines('predicted', predicted, columns), ...observedLines('observed', observed, columns)]
}

function observedLines(label: string, text: string, columns: number): string[] {
  const width = Math.max(20, columns - 19)
  return wrap(cut(oneLine(text), 400), width).map(
    (line, index) => `        ${pad(index === 0 ? label : '', 9)}  ${cut(line, width)}`,
  )
}

/** What a model is shown, for people: the origin of each text, its size, and its beginning. */
export function capturedRequestText(name: string, request: CapturedRequest, style: Style, columns: number): string[] {
  const { title, version, as, model, parameters, texts, tools, toolCharacters } = request
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0)
  const tokens = estimateTokens(characters + toolCharacters)
  const role = as === 'main' ? 'the main session' : 'a subagent'
  const lines = [
    `${style.bold(oneLine(name))} in ${title}${version === null ? '' : ` ${version}`}, as ${role}`,
    style.dim(`about ${plural(tokens, 'token')} before the task begins, at four characters per token`),
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
  // Some harnesses describe tools elsewhere in the request.
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

/** The beginning is enough to identify it. */
function textLines({ whose, text }: WireText, title: string, style: Style, columns: number): string[] {
  const owner = whose === 'agent' ? 'the agent' : whose === 'project' ? 'the project' : title
  const paint = whose === 'harness' ? style.dim : whose === 'agent' ? style.green : style.yellow
  const size = plural(text.length, 'character')
  const beginning = cut(oneLine(text.slice(0, 400)), columns - 4)
  return [`  ${paint(owner)}, ${size}`, `    ${style.dim(beginning)}`]
}
