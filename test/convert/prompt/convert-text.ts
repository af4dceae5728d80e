/** Converts a prompt as the tests need it: by harness, with one answer to every gap. */
import { convertPrompt } from '../../../src/convert/prompt/convert-prompt.ts'
import type { ConvertedPrompt, PromptGap } from '../../../src/convert/prompt/pass.ts'
import type { Carrier, Harness } from '../../../src/harness/schema/harness.ts'
import type { GapResolution } from '../../../src/model/conversion.ts'
import type { Edit } from '../../../src/model/range.ts'
import { registry } from '../../reading.ts'

export interface Options {
  readonly from?: string
  readonly carrier?: string
  readonly renamed?: Readonly<Record<string, string>>
  readonly on?: GapResolution
  readonly asked?: PromptGap[]
  /** Other words of the target. */
  readonly words?: Harness['words']
  /** Whether the agent still has a tool. */
  readonly isOffered?: (tool: string) => boolean
  /** Other names of models. */
  readonly tiers?: Readonly<Record<string, string>>
  /** Skills whose text is copied into the prompt. */
  readonly inlined?: readonly string[]
  /** The files that exist; absent: nothing is known. */
  readonly there?: readonly string[]
}

export function convert(to: string, text: string, options: Options = {}): ConvertedPrompt {
  const source = registry.byId(options.from ?? 'claude-code') as Harness
  const known = registry.byId(to) as Harness
  const target = options.words === undefined ? known : { ...known, words: { ...known.words, ...options.words } }
  const carrier = target.carriers.find(({ id }) => id === (options.carrier ?? target.carriers[0]?.id)) as Carrier
  return convertPrompt({
    text,
    source,
    target,
    carrier,
    renamed: new Map(Object.entries(options.renamed ?? {})),
    resolve: (gap) => {
      options.asked?.push(gap)
      return options.on ?? 'todo'
    },
    inlined: new Set(options.inlined),
    ...(options.isOffered === undefined ? {} : { isOffered: options.isOffered }),
    ...(options.there === undefined ? {} : { isThere: (path) => options.there?.includes(path) === true }),
    model: (words) => modelOf(options.tiers ?? target.models.tiers, words),
  })
}

/** The tier that the words contain, as the target spells it. */
function modelOf(tiers: Readonly<Record<string, string | null>>, words: string): string | null {
  const tier = Object.keys(tiers).find((one) => words.toLowerCase().includes(one))
  return tier === undefined ? null : (tiers[tier] ?? null)
}

/** What turns the converted prompt into the original again. */
export function inverse(original: string, { changes }: ConvertedPrompt): Edit[] {
  let shift = 0
  return changes.map(({ range, text }) => {
    const start = range.start + shift
    shift += text.length - (range.end - range.start)
    return { range: { start, end: start + text.length }, text: original.slice(range.start, range.end) }
  })
}

export function patternOf(result: ConvertedPrompt, feature: string) {
  return result.patterns.find((pattern) => pattern.feature === feature)
}
