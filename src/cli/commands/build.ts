/** `troupe build`: brings all targets of `troupe.yaml` up to date with its source. */

import { commonGapResolutions } from '../../model/conversion.ts'
import { handEditChoices } from '../../model/drift.ts'
import { toolsByCapability } from '../../model/tools.ts'
import { buildText } from '../../report/build.ts'
import { sarif } from '../../report/findings.ts'
import { jsonText } from '../../report/layout.ts'
import {
  type Command,
  type CommandInput,
  printAnnotations,
  printJson,
  printLines,
  refuseRun,
  UsageError,
  version,
} from '../command.ts'
import { type BuildResult, buildOnce } from './build-once.ts'

const buildFormats = ['text', 'json', 'sarif', 'github'] as const
type Format = (typeof buildFormats)[number]

export const build: Command = {
  name: 'build',
  takes: '',
  words: 0,
  summary: 'all targets in step with one source, as troupe.yaml says',
  details:
    'Renders every agent of the source for every target of `troupe.yaml`. What is in step is left alone, and outputs of agents that are gone are removed. What somebody changed by hand in an output is taken into the source, overwritten, or left as it is, as you say. With --check nothing is written, and anything that is not in step is a finding.',
  options: {
    check: { type: 'boolean', about: 'write nothing; exit 1 when anything is not in step' },
    watch: { type: 'boolean', about: 'build again whenever something changes that was read' },
    'on-edit': {
      type: 'string',
      value: 'WHAT',
      choices: ['ask', ...handEditChoices],
      about: 'outputs changed by hand: ask (default), adopt, overwrite or skip',
    },
    'allow-widening': {
      type: 'string',
      value: 'CAPABILITY,...',
      choices: Object.keys(toolsByCapability),
      alone: '*',
      about: 'adopt although an agent may do more',
    },
    answers: { type: 'string', value: 'FILE', about: 'replay answers about gaps' },
    'on-gap': {
      type: 'string',
      value: 'WHAT',
      choices: ['ask', ...commonGapResolutions],
      about: 'ask (default), workaround, todo or omit',
    },
    'keep-asking': { type: 'boolean', about: 'ask about what was left to the mode of the harness' },
    force: { type: 'boolean', about: 'replace files that Troupe did not write' },
    format: { type: 'string', value: 'FORMAT', choices: buildFormats, about: 'text, json, sarif or github' },
  },
  examples: [
    ['troupe build', 'write what is missing or older than the source'],
    ['troupe build --check', 'for CI: is everything in step?'],
    ['troupe build --watch', 'while you write'],
    ['troupe build --on-edit adopt', 'take what was changed in the outputs into the source'],
  ],
  run: async (input) => {
    const { options } = input
    const format = parseFormat(input)
    if (options.check === true && options['on-edit'] !== undefined)
      throw new UsageError('--check writes nothing, so there is nothing for --on-edit to do.')
    const isText = format === 'text'
    if (options.watch === true) {
      if (!isText || options.check === true)
        throw new UsageError('--watch goes neither with --check nor with a format.')
      if (options['on-edit'] === 'adopt')
        throw new UsageError('--watch does not adopt.', 'Run `troupe build --on-edit adopt` first.')
      return (await import('./build-watch.ts')).buildAndWatch(input)
    }
    const built = await buildOnce(isText ? input : withoutQuestions(input), {
      keepsResults: format === 'json',
      findsPlaces: format === 'sarif' || format === 'github',
    })
    const { refused, interrupted } = built.end
    // Nothing was checked, so there is no summary; a program still gets its document.
    if (refused === null || !isText) print(input, format, built)
    if (refused !== null) {
      return refuseRun(refused)
    }
    return interrupted ?? built.code
  },
}

/** Machine-readable output is not mixed with questions. */
function withoutQuestions(input: CommandInput): CommandInput {
  return { ...input, options: { ...input.options, yes: true } }
}

function parseFormat({ options }: CommandInput): Format {
  const wanted = options.json === true ? 'json' : (options.format ?? 'text')
  const format = buildFormats.find((one) => one === wanted)
  if (format !== undefined) return format
  throw new UsageError(`There is no format "${wanted}".`, `Formats are ${buildFormats.join(', ')}.`)
}

function print({ terminal }: CommandInput, format: Format, built: BuildResult): void {
  const { drifts, adoptions, accepted, results, summary, diagnostics, places } = built
  // Outputs that are left alone are reported at their place.
  const others = [...results.flatMap((one) => one.diagnostics), ...diagnostics]
  const all = () => [...places, ...others.filter(({ code, path }) => code !== 'not-written' || !isPlaced(path))]
  const isPlaced = (path: string) => drifts.some((one) => one.path === path)
  if (format === 'json') printJson(terminal, { drift: drifts, adoptions, accepted, results, summary, diagnostics })
  else if (format === 'sarif') terminal.print(`${jsonText(sarif(all(), version()), 2)}\n`)
  else if (format === 'github') printAnnotations(terminal, all(), built.root)
  else printLines(terminal, buildText(built, terminal.style, terminal.columns))
}
