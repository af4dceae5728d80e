/** A definition file of any dialect, read by the evaluator of that dialect. */
import type { Reading } from './call.ts'
import { readClaudeCode } from './claude-code.ts'
import { readCodex } from './codex.ts'
import { readCopilot } from './copilot.ts'
import { readGeminiCli } from './gemini-cli.ts'
import { readOpenCode } from './opencode.ts'
import { readQwenCode } from './qwen-code.ts'
import { readUniversal } from './universal.ts'

/** Those whose programs were run. */
export const dialects = ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code'] as const
export type Dialect = (typeof dialects)[number]

const readers: Readonly<Record<Dialect | 'agents', (text: string) => Reading>> = {
  'claude-code': readClaudeCode,
  opencode: (text) => readOpenCode(text),
  codex: readCodex,
  'gemini-cli': readGeminiCli,
  copilot: readCopilot,
  'qwen-code': readQwenCode,
  agents: readUniversal,
}

export function read(dialect: Dialect | 'agents', text: string): Reading {
  return readers[dialect](text)
}
