/** What is done about gaps: by flag, by an answers file, by asking, or by the safe default. */
import { resolve } from 'node:path'
import { answersPolicy, defaultDecision, flagPolicy, type GapPolicy } from '../convert/gaps.ts'
import type { ModelMap } from '../harness/models.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type GapResolution, resolutions } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { type Answers, noAnswers, readAnswers, writeAnswers } from '../project/converting/answers.ts'
import { collectGaps } from '../project/converting/collect-gaps.ts'
import type { ConversionRequest } from '../project/converting/request.ts'
import { askAboutGaps } from './ask-about-gaps.ts'
import { type CommandInput, UsageError } from './command.ts'

export interface ChosenPolicy {
  readonly policy: (target: Harness) => GapPolicy
  /** Two policies with the same text decide the same. */
  readonly text: (target: Harness) => string
  readonly models: (target: Harness) => ModelMap
  readonly problems: readonly Diagnostic[]
}

export async function chooseGapPolicy(
  input: CommandInput,
  request: Omit<ConversionRequest, 'policy'>,
): Promise<ChosenPolicy> {
  const { options, here } = input
  const file = typeof options.answers === 'string' ? resolve(here, options.answers) : null
  const { answers, problems } =
    file === null ? { answers: noAnswers, problems: [] } : readAnswers(file, String(options.answers))
  const onGap = onGapOf(options['on-gap'])
  const flag = onGap === 'ask' ? null : flagPolicy(onGap)
  const asked = flag === null && canAsk(input) ? await ask(input, request, answers) : new Map()
  if (file !== null && asked.size > 0) save(input, file, answers, asked)
  const policy = (target: Harness): GapPolicy => {
    const otherwise = flag ?? defaultDecision
    const byAsking = answersPolicy(asked.get(target.id) ?? new Map(), 'user', otherwise)
    return answersPolicy(answers.gaps.get(target.id) ?? new Map(), 'answers', byAsking)
  }
  const models = (target: Harness) => ({ ...request.models(target), ...answers.models.get(target.id) })
  const text = ({ id }: Harness) => {
    const sorted = [asked.get(id), answers.gaps.get(id)].map((some) => [...(some ?? [])].sort())
    return JSON.stringify([onGap, ...sorted])
  }
  return { policy, text, models, problems }
}

function onGapOf(value: CommandInput['options'][string]): GapResolution | 'ask' {
  if (value === undefined) return 'ask'
  const known = (['ask', ...resolutions] as const).find((one) => one === value)
  if (known === undefined) {
    throw new UsageError(`--on-gap does not know "${value}".`, `It takes ask, ${resolutions.join(', ')}.`)
  }
  return known
}

/** Somebody sits there and wants to be asked. */
export function canAsk({ options }: CommandInput): boolean {
  if (options.yes === true || options.json === true || options.format !== undefined) return false
  return process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI
}

type AnswersByTarget = ReadonlyMap<string, ReadonlyMap<string, GapResolution>>

/** Everything is converted once for show, so that each class of gap is asked about once and not in the middle of things. */
async function ask(
  input: CommandInput,
  request: Omit<ConversionRequest, 'policy'>,
  answers: Answers,
): Promise<AnswersByTarget> {
  const isOpen = (target: string, name: string) => answers.gaps.get(target)?.has(name) !== true
  const classes = (await collectGaps(request)).filter((one) => isOpen(one.target.id, one.name))
  return classes.length === 0 ? new Map() : askAboutGaps(input.terminal, classes)
}

function save(input: CommandInput, file: string, before: Answers, asked: AnswersByTarget): void {
  const targets = new Set([...before.gaps.keys(), ...asked.keys()])
  const gaps = new Map(
    [...targets].map((id) => [id, new Map([...(before.gaps.get(id) ?? []), ...(asked.get(id) ?? [])])]),
  )
  const problem = writeAnswers(file, { gaps, models: before.models })
  input.terminal.tell(
    problem === null ? `answers kept in ${input.options.answers}\n` : `answers not kept: ${problem}\n`,
  )
}
