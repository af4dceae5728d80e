/** A member without its harness, played by a few lines of shell: the workplace around it is the real one. */
import { answerOf, taskFor } from './cues.ts'

export function standInCommand(member: string, hands: readonly string[]): readonly string[] {
  const lines =
    hands.length > 0
      ? [...hands.map((to) => JSON.stringify({ type: 'handoff', to, text: taskFor(to) })), answerOf(member)]
      : [JSON.stringify({ type: 'result', text: answerOf(member) })]
  const quoted = lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`)
  return ['/bin/sh', '-c', `cat > /dev/null; printf '%s\\n' ${quoted.join(' ')}`]
}
