/** Agents that another program is: what is written here of them restricts nobody, and a local copy would be somebody else. */
import type { Source } from './parse.ts'
import type { Refused } from './refused.ts'

export function runsElsewhere({ agent, harness }: Source): Refused | null {
  const found = agent.extras.find(({ key, value }) => {
    const { elsewhere } = harness.nativeKeys[key] ?? {}
    return elsewhere === true || (typeof value === 'string' && elsewhere?.includes(value.trim()) === true)
  })
  if (found === undefined) return null
  const message = `"${agent.name}" is another program (\`${found.key}\`), which ${harness.title} only calls: nothing of it can be converted.`
  return { code: 'remote-agent', message }
}
