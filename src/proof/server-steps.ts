/** Requests to a harness that runs as a server, one after the other, each with what the earlier ones answered. */
import type { Oracle } from '../harness/schema/recipe.ts'
import type { Json } from '../model/agent.ts'
import { follow } from './extract.ts'
import { type Fill, fill, fillJson } from './template.ts'

/** Null when every step was answered. */
export async function takeSteps(
  address: string,
  steps: NonNullable<NonNullable<Oracle['main']>['server']>['steps'],
  first: Fill,
  limit: number,
): Promise<string | null> {
  let values = first
  for (const { post, body, save } of steps) {
    const answer = await postJson(address, fill(post, values), fillJson(body, values), limit)
    if ('trouble' in answer) return answer.trouble
    const { data } = answer
    const saved = Object.entries(save).map(([name, path]) => [name, String(follow(data, path.split('.'))[0] ?? '')])
    values = { ...values, ...Object.fromEntries(saved) }
  }
  return null
}

export type ServerAnswer = { readonly data: Json } | { readonly trouble: string }

export async function postJson(address: string, path: string, body: Json, limit: number): Promise<ServerAnswer> {
  try {
    const answer = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limit),
    })
    const text = await answer.text()
    if (!answer.ok) return { trouble: `it answered ${answer.status} to ${path}: ${text.slice(0, 300)}` }
    return { data: JSON.parse(text) as Json }
  } catch (error) {
    return { trouble: `it did not answer ${path} (${(error as Error).message})` }
  }
}

/** What it answers to a question that changes nothing. */
export async function getJson(address: string, path: string, limit: number): Promise<ServerAnswer> {
  try {
    const answer = await fetch(address + path, { signal: AbortSignal.timeout(limit) })
    if (!answer.ok) return { trouble: `it answered ${answer.status} to ${path}` }
    return { data: (await answer.json()) as Json }
  } catch (error) {
    return { trouble: `it did not answer ${path} (${(error as Error).message})` }
  }
}
