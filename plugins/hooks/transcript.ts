/** How full the context window is, from the end of the transcript that the harness keeps: one JSON document per line. */
import { readSmallText } from '../../src/hud/data/data-text.ts'
import { contextData, countUsage, type WindowUse } from '../../src/hud/sections/context-usage.ts'

export interface TranscriptReport {
  readonly model: string | null
  /** Null: there is no answer yet. */
  readonly context: object | null
}

interface Line {
  readonly type?: string
  /** Written by a subagent, in its own window. */
  readonly isSidechain?: boolean
  readonly message?: { readonly model?: string; readonly usage?: Readonly<Record<string, number | undefined>> }
}

export async function readTranscript(path: string | undefined): Promise<TranscriptReport> {
  const text = path === undefined ? null : await readSmallText(path, 'end')
  let use: WindowUse | null = null
  let model: string | null = null
  for (const line of (text ?? '').split('\n')) {
    const { type, isSidechain, message } = parseLine(line)
    const usage = message?.usage
    if (type !== 'assistant' || isSidechain === true || usage === undefined) continue
    model = message?.model ?? model
    use = countUsage(use, {
      input: usage.input_tokens ?? 0,
      output: usage.output_tokens ?? 0,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    })
  }
  return { model, context: use === null ? null : contextData(use, null) }
}

/** The first line may be cut in half, and the last may not be written yet. */
function parseLine(line: string): Line {
  try {
    const data: unknown = JSON.parse(line)
    return typeof data === 'object' && data !== null ? data : {}
  } catch {
    return {}
  }
}
