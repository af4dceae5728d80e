/** How gaps and hand edits are decided: by a flag, an answers file, a question, or the safe default. */
import { resolve } from 'node:path'
import type { GapDecisions } from '../convert/gaps.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { ModelMap } from '../harness/write/models.ts'
import { commonGapResolutions, type GapResolution } from '../model/conversion.ts'
import { type HandEditChoice, handEditChoices } from '../model/drift.ts'
import type { Diagnostic } from '../model/findings.ts'
import { capabilities, powerlessTools } from '../model/tools.ts'
import { type Answers, noAnswers, readAnswers, writeAnswers } from '../project/answers.ts'
import { readLockFile } from '../project/read-text.ts'
import { planAdoptions } from '../sync/adopt.ts'
import { collectGapClasses } from '../sync/convert/convert.ts'
import type { ConversionRequest } from '../sync/convert/request.ts'
import { findHandEdits } from '../sync/drift.ts'
import { type CommandInput, type OptionValue, UsageError } from './command.ts'
import { askAboutEdits, askAboutGaps } from './questions.ts'

interface ChosenPolicy {
  readonly decisions: (target: Harness) => GapDecisions
  /** Decisions with the same text are the same. */
  readonly text: (target: Harness) => string
  readonly models: (target: Harness) => ModelMap
  readonly problems: readonly Diagnostic[]
  /** Undecided: by neither a flag nor an answers file. */
  readonly isOpen: boolean
}

/** What the project has decided for everyone who builds it. */
interface ProjectGapPolicy {
  readonly root: string
  /** Relative to the root. */
  readonly answers: string | null
  readonly onGap: string | null
}

/** `settled`: all users get the same, so questions are asked only if the answers are saved. */
export async function chooseGapPolicy(
  input: CommandInput,
  request: Omit<ConversionRequest, 'decisions'>,
  settled: ProjectGapPolicy | null = null,
): Promise<ChosenPolicy> {
  const { options } = input
  const file = answersFile(input, settled)
  const read = file === null ? { answers: noAnswers, problems: [] } : readAnswers(file.path, file.shown)
  const onGap = parseOnGap(options['on-gap'], '--on-gap') ?? parseOnGap(settled?.onGap, 'onGap in troupe.yaml') ?? 'ask'
  const mayAsk = onGap === 'ask' && isInteractive(input) && (settled === null || file !== null)
  const asked = mayAsk ? await askAboutOpenGaps(input, request, read.answers) : new Map()
  const problem = file === null || asked.size === 0 ? null : saveAnswers(input, file, read.answers, asked)
  if (problem !== null && settled !== null)
    throw new UsageError(`Cannot save the answers to ${file?.shown}: ${problem}.`, 'Nothing was built.')
  const { answers, problems } = read
  const revive = namesIn(options.revive)
  const decisions = ({ id }: Harness): GapDecisions => ({
    onGap: onGap === 'ask' ? null : onGap,
    answers: answers.gaps.get(id) ?? new Map(),
    asked: asked.get(id) ?? new Map(),
    revive,
  })
  const models = (target: Harness) => ({ ...request.models(target), ...answers.models.get(target.id) })
  const text = ({ id }: Harness) => {
    // A new answer and one from the file have the same effect.
    const all = new Map([...(asked.get(id) ?? []), ...(answers.gaps.get(id) ?? [])])
    return JSON.stringify([onGap, [...all].sort()])
  }
  return { decisions, text, models, problems, isOpen: file === null && onGap === 'ask' }
}

/** `--revive`: names, or `*`. */
function namesIn(value: OptionValue): string[] {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : []
}

interface AnswersFile {
  readonly path: string
  readonly shown: string
}

function answersFile({ options, here }: CommandInput, settled: ProjectGapPolicy | null): AnswersFile | null {
  if (typeof options.answers === 'string') return { path: resolve(here, options.answers), shown: options.answers }
  if (settled === null || settled.answers === null) return null
  return { path: resolve(settled.root, settled.answers), shown: settled.answers }
}

/** Null: not given. `where`: its origin. */
function parseOnGap(value: OptionValue | null, where: string): GapResolution | 'ask' | null {
  if (value === undefined || value === null) return null
  const known = (['ask', ...commonGapResolutions] as const).find((one) => one === value)
  if (known !== undefined) return known
  throw new UsageError(`Invalid value "${value}" for ${where}.`, `Values are ask, ${commonGapResolutions.join(', ')}.`)
}

/** There is a user at the terminal who can be asked. */
export function isInteractive({ options }: CommandInput): boolean {
  if (options.yes === true || options.json === true || options.format !== undefined) return false
  return process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI
}

type AnswersByTarget = ReadonlyMap<string, ReadonlyMap<string, GapResolution>>

/** Everything is converted once as a dry run, so that each class of gap is asked about once and up front. */
async function askAboutOpenGaps(
  input: CommandInput,
  request: Omit<ConversionRequest, 'decisions'>,
  answers: Answers,
): Promise<AnswersByTarget> {
  const isOpen = (target: string, name: string) => answers.gaps.get(target)?.has(name) !== true
  const classes = (await collectGapClasses(request)).filter((one) => isOpen(one.target.id, one.name))
  return classes.length === 0 ? new Map() : askAboutGaps(input.terminal, classes)
}

/** Null: they are saved. */
function saveAnswers(input: CommandInput, { path, shown }: AnswersFile, before: Answers, asked: AnswersByTarget) {
  const targets = new Set([...before.gaps.keys(), ...asked.keys()])
  const gaps = new Map(
    [...targets].map((id) => [id, new Map([...(before.gaps.get(id) ?? []), ...(asked.get(id) ?? [])])]),
  )
  const problem = writeAnswers(path, { gaps, models: before.models })
  input.terminal.info(problem === null ? `Saved the answers to ${shown}.\n` : `Cannot save the answers: ${problem}.\n`)
  return problem
}

/** `--allow-widening=shell,fetch`: capabilities by name, or `*`. */
export function acceptedWords(flag: CommandInput['options'][string]): readonly string[] {
  const words = typeof flag === 'string' ? flag.split(',').map((word) => word.trim()) : []
  const known: readonly string[] = ['*', ...capabilities, ...powerlessTools]
  const unknown = words.find((word) => !known.includes(word) && !/^(mcp|native):./.test(word))
  if (unknown !== undefined)
    throw new UsageError(
      `Unknown capability "${unknown}" for --allow-widening.`,
      `Capabilities are ${capabilities.join(', ')}, mcp:SERVER and mcp:*.`,
    )
  return words
}

/** What to do with outputs that were changed by hand: decided by a flag, by asking, or by leaving them alone. */
interface EditPolicy {
  /** Whether there is anything to adopt into the source. */
  readonly adopts: boolean
  readonly choose: (path: string) => HandEditChoice
  /** Whether an adoption may grant this to an agent. */
  readonly isAccepted: (capability: string) => boolean
}

export async function chooseEditPolicy(input: CommandInput, request: ConversionRequest): Promise<EditPolicy> {
  const { options } = input
  const flag = parseOnEdit(options['on-edit'])
  const accepted = acceptedWords(options['allow-widening'])
  const isAccepted = (capability: string) => accepted.includes('*') || accepted.includes(capability)
  if (flag !== 'ask' || request.dryRun || !isInteractive(input)) {
    const choice = flag === 'ask' ? 'skip' : flag
    return { adopts: choice === 'adopt', choose: () => choice, isAccepted }
  }
  const { lock } = readLockFile(request.out)
  const edits = findHandEdits(request, lock)
  if (edits.length === 0) return { adopts: false, choose: () => 'skip', isAccepted }
  // A user who is shown what an agent would gain, and agrees, has accepted it.
  const { adoptions } = planAdoptions(request, lock, edits, () => true)
  const answers = await askAboutEdits(input.terminal, adoptions)
  const shown = new Set(adoptions.flatMap(({ path, widened }) => (answers.get(path) === 'adopt' ? widened : [])))
  return {
    adopts: [...answers.values()].includes('adopt'),
    choose: (path) => answers.get(path) ?? 'skip',
    isAccepted: (capability) => isAccepted(capability) || shown.has(capability),
  }
}

function parseOnEdit(value: CommandInput['options'][string]): HandEditChoice | 'ask' {
  if (value === undefined) return 'ask'
  const known = (['ask', ...handEditChoices] as const).find((one) => one === value)
  if (known !== undefined) return known
  throw new UsageError(`Invalid value "${value}" for --on-edit.`, `Values are ask, ${handEditChoices.join(', ')}.`)
}
