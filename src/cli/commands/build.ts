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
  reportsHarnessProblems: false,
  takes: '',
  words: 0,
  summary: 'bring all targets of troupe.yaml up to date with their source',
  details:
    'Writes every agent of the source for every target in `troupe.yaml`. Outputs that are up to date are left alone, and outputs of deleted agents are removed. Where an output was edited by hand, you choose: adopt the edit into the source, overwrite it, or skip it. With --check, nothing is written, and every output that is out of date is reported.',
  options: {
    check: { type: 'boolean', about: 'write nothing; exit 1 if anything is out of date' },
    watch: { type: 'boolean', about: 'build again whenever an input changes' },
    'on-edit': {
      type: 'string',
      value: 'WHAT',
      choices: ['ask', ...handEditChoices],
      about: 'outputs edited by hand: ask (default), adopt, overwrite or skip',
    },
    'allow-widening': {
      type: 'string',
      value: 'CAPABILITY,...',
      choices: Object.keys(toolsByCapability),
      alone: '*',
      about: 'adopt edits even if an agent gains access',
    },
    answers: { type: 'string', value: 'FILE', about: 'read decisions about gaps from FILE' },
    'on-gap': {
      type: 'string',
      value: 'WHAT',
      choices: ['ask', ...commonGapResolutions],
      about: 'gaps: ask (default), workaround, todo or omit',
    },
    'keep-asking': { type: 'boolean', about: 'ask where the permission mode of the harness used to decide' },
    force: { type: 'boolean', about: 'replace files that Troupe did not write' },
    format: { type: 'string', value: 'FORMAT', choices: buildFormats, about: 'text, json, sarif or github' },
  },
  examples: [
    ['troupe build', 'write what is missing or out of date'],
    ['troupe build --check', 'for CI: is everything up to date?'],
    ['troupe build --watch', 'while you edit'],
    ['troupe build --on-edit adopt', 'copy edits in outputs back to the source'],
  ],
  run: async (input) => {
    const { options } = input
    const format = parseFormat(input)
    if (options.check === true && options['on-edit'] !== undefined)
      throw new UsageError('--check writes nothing, so --on-edit has no effect.')
    const isText = format === 'text'
    if (options.watch === true) {
      if (!isText || options.check === true)
        throw new UsageError('--watch cannot be combined with --check or --format.')
      if (options['on-edit'] === 'adopt')
        throw new UsageError('--watch cannot adopt edits.', 'Run `troupe build --on-edit adopt` first.')
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
  throw new UsageError(`Unknown format "${wanted}".`, `Formats are ${buildFormats.join(', ')}.`)
}

function print({ terminal }: CommandInput, format: Format, built: BuildResult): void {
  const { drifts, adoptions, accepted, results, summary, diagnostics, places } = built
  // Outputs that are left alone are reported at their place.
  const others = [...results.flatMap((one) => one.diagnostics), ...diagnostics]
  const all = () => [...places, ...others.filter(({ code, path }) => code !== 'not-written' || !isPlaced(path))]
  const isPlaced = (path: string) => drifts.some((one) => one.path === path)
  if (format === 'json')
    printJson(terminal, {
      drift: drifts,
      adoptions,
      accepted,
      results: results.map((one) => ({ kind: 'agent', ...one })),
      components: built.components,
      summary,
      diagnostics,
    })
  else if (format === 'sarif') terminal.print(`${jsonText(sarif(all(), version()), 2)}\n`)
  else if (format === 'github') printAnnotations(terminal, all(), built.root)
  else printLines(terminal, buildText(built, terminal.style, terminal.columns))
}
