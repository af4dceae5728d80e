/** From what an agent may do to the keys of a dialect: the largest grant that fits inside, in several ways to choose from. */
import type { Json } from '../model/agent.ts'
import type { Intent } from './intent.ts'
import type { AccessLayerSpec, Harness } from './schema/harness.ts'
import { writeAllowList, writeDenyList } from './write-lists.ts'
import { writeRuleMap } from './write-rules.ts'
import { writeSwitch } from './write-switch.ts'

/** Keys (dotted ones reach into tables) and their values, in the order of the harness file. */
export type AccessKeys = ReadonlyMap<string, Json>

/**
 * Ways to write the access down, from the closest to the shape of the original to the one that restricts most. The
 * caller reads each back and takes the first that grants nothing new: only reading tells what a harness makes of it.
 */
export function* writeAccess(harness: Harness, intent: Intent, keepAsking: boolean): Generator<AccessKeys> {
  const layers = harness.access.layers.filter(({ legacy }) => legacy !== true)
  const allow = layers.find(({ codec }) => codec === 'allow-list')
  const deny = layers.find(({ codec }) => codec === 'deny-list')
  const map = layers.find(({ codec }) => codec === 'rule-map')
  const switches = layers.filter(({ codec }) => codec === 'switch')
  const switched = switches.map((spec) => [spec, writeSwitch(spec, intent)] as const)
  const keys = (...some: (readonly [AccessLayerSpec | undefined, Json | null | undefined])[]) =>
    new Map([...some, ...switched].flatMap(([spec, value]) => (value == null || !spec ? [] : [[spec.key, value]])))
  const isList = isClosed(intent)
  if (map !== undefined) {
    for (const detail of ['patterns', 'plain', 'closed'] as const) {
      yield keys([map, writeRuleMap(harness, map, intent, { keepAsking, detail })])
    }
    return
  }
  if (!isList) yield keys()
  const denying = (which: 'all' | 'named') => [deny, deny && writeDenyList(harness, deny, intent, which)] as const
  if (!isList) yield keys(denying('all'))
  if (allow === undefined) {
    if (isList) yield keys()
    return
  }
  const listed = [allow, writeAllowList(harness, allow, intent)] as const
  const careful = [allow, writeAllowList(harness, allow, intent, 'careful')] as const
  yield keys(listed)
  yield keys(listed, denying('named'))
  yield keys(careful)
  yield keys(careful, denying('all'))
}

/** Whether the definition says "these and no others". */
function isClosed(intent: Intent): boolean {
  return intent.answer('native:nobody/anything') === 'deny'
}
