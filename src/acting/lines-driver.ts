/** Harnesses that do one turn and tell it in lines of JSON. */
import type { Told } from '../harness/schema/embody.ts'
import type { Json } from '../model/agent.ts'
import { follow } from '../proof/extract.ts'
import { onLines, startChild } from './child.ts'
import type { Driver } from './driver.ts'

export const driveLines: Driver = async ({ embody, launch, listener, signal }) => {
  const { session, step, said, cost, failed } = embody.tells
  const child = startChild(launch, signal)
  let answer = ''
  let failure: string | null = null
  let steps = 0
  onLines(child.process.stdout, (line) => {
    const event = parse(line)
    if (event === null) return
    const id = valueIn(session, event)
    if (id !== null) listener.session(id)
    if (valueIn(step, event) !== null) {
      steps++
      listener.step()
    }
    answer = valueIn(said, event) ?? answer
    const spent = Number(valueIn(cost, event) ?? 0)
    if (spent > 0) listener.spent(spent)
    failure = valueIn(failed, event) ?? failure
  })
  child.process.stdin.end(launch.stdin ?? '')
  const code = await child.ended
  if (code === 0 && failure === null) return { answer }
  const how = code === null ? 'it was killed' : `it ended with exit code ${code}`
  const complaint = failure ?? child.complaint()
  return { trouble: complaint === '' ? how : `${how}: ${complaint}`, untouched: steps === 0 }
}

/** The value of an event that is such a one; its mere presence where no place is named. */
export function valueIn(told: Told | undefined, event: Json): string | null {
  if (told === undefined) return null
  const fits = Object.entries(told.where).every(([key, value]) => String(follow(event, key.split('.'))[0]) === value)
  if (!fits) return null
  if (told.at === undefined) return ''
  const found = follow(event, told.at.split('.')).filter((one) => one !== null && one !== undefined)
  return found.length === 0
    ? null
    : found.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
}

function parse(line: string): Json {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
