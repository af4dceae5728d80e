/** Switches with a few positions: turned only where the agent loses nothing that it had. */
import { type Action, strictness } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import type { Intent } from './intent.ts'
import type { AccessLayerSpec } from './schema/harness.ts'

/** The position that takes most of what the agent may not do; null where none takes anything, or takes too much. */
export function writeSwitch(spec: AccessLayerSpec, intent: Intent): Json | null {
  let best: { value: string; taken: number } | null = null
  for (const [value, rules] of Object.entries(spec.cases ?? {})) {
    // What only this harness has was never spoken of.
    const effects = rules
      .flatMap(({ tools, action }) => tools.map((tool) => ({ tool, action })))
      .filter(({ tool }) => !tool.startsWith('native:'))
    const taken = effects.filter(({ tool, action }) => isRight(intent.answer(tool), action)).length
    const lost = effects.some(({ tool, action }) => action === 'deny' && intent.extent(tool) !== 'none')
    if (lost || taken === 0 || (best !== null && best.taken >= taken)) continue
    best = { value, taken }
  }
  if (best === null) return null
  return best.value === 'true' || best.value === 'false' ? best.value === 'true' : best.value
}

/** It restricts what the definition restricts. */
function isRight(wanted: Action, given: Action): boolean {
  return wanted === 'deny' && strictness(given) > strictness('offer')
}
