/** Questions on a terminal that one letter answers. */
import { oneLine } from '../report/layout.ts'
import { Interrupted } from './command.ts'

/** Asks until one of the letters is given; Enter alone, or the end of the input, is the usual answer. */
export type Choose = (question: string, choices: readonly string[], usual: string) => Promise<string>

export async function withQuestions<T>(ask: (choose: Choose) => Promise<T>): Promise<T> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  let isInterrupted = false
  // A question that is still open when the input ends would never be answered.
  const over = new AbortController()
  lines.on('close', () => over.abort())
  lines.on('SIGINT', () => {
    isInterrupted = true
    over.abort()
  })
  const choose: Choose = async (question, choices, usual) => {
    for (;;) {
      let answer: string
      try {
        answer = (await lines.question(question, { signal: over.signal })).trim().toLowerCase().slice(0, 1)
      } catch {
        // Whoever ends the input instead of answering leaves the rest to the safe answers.
        if (isInterrupted) throw new Interrupted()
        return usual
      }
      if (answer === '') return usual
      if (choices.includes(answer)) return answer
    }
  }
  try {
    return await ask(choose)
  } finally {
    lines.close()
  }
}

export function cutLine(text: string, width: number): string {
  const line = oneLine(text)
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}
