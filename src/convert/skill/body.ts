/** The text of a skill: what its harness fills in, and the words that every prompt has. */
import { shiftEdits } from '../../formats/edit/edits.ts'
import { dominantLineEnd } from '../../formats/lines.ts'
import type { ReadSkill } from '../../harness/read/skills.ts'
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { Edit } from '../../model/range.ts'
import { convertPrompt, modelNamer } from '../prompt/convert-prompt.ts'
import type { ConvertedPrompt } from '../prompt/pass.ts'
import { convertPlaceholders } from './placeholders.ts'
import type { SkillOptions, SkillSource } from './plan.ts'

const carriers = new WeakMap<Harness, Carrier>()

/** A skill is plain text to every harness: nothing in it is filled in as in the prompt of an agent. */
function skillCarrier(target: Harness): Carrier {
  let carrier = carriers.get(target)
  if (carrier === undefined) {
    const [first] = target.carriers
    if (first === undefined) throw new Error(`${target.id} has no kind of file`)
    carrier = { ...first, prompt: { in: 'body' } } as Carrier
    carriers.set(target, carrier)
  }
  return carrier
}

export function convertBody(
  { harness, from }: SkillSource,
  { target, place, renamed, models, isThere }: SkillOptions,
  { skill, map }: ReadSkill,
  text: string,
  resolve: Parameters<typeof convertPrompt>[0]['resolve'],
): { readonly body: ConvertedPrompt; readonly edits: Edit[] } {
  const { start } = skill.body
  const body = text.slice(start)
  const names = skill.values.get('arguments')?.value
  const { edits: decided, opening } = convertPlaceholders({
    body,
    source: harness,
    target,
    from,
    place,
    takesArguments: skill.values.has('argumentHint') || skill.values.has('arguments'),
    argumentNames: (Array.isArray(names) ? names : [])
      .filter((one): one is string => typeof one === 'string' && /^\w+$/.test(one))
      .slice(0, 20),
    isThere,
  })
  const converted = convertPrompt({
    text: body,
    source: harness,
    target,
    carrier: skillCarrier(target),
    renamed,
    resolve,
    isThere,
    model: modelNamer(harness, target, models),
    decided,
  })
  const edits = shiftEdits(converted.changes, start)
  const lineEnd = dominantLineEnd(text)
  // Front matter may be added at the same place, and comes first.
  if (opening !== null)
    edits.push({ range: { start, end: start }, text: `${map === null ? lineEnd : ''}${opening}${lineEnd}${lineEnd}` })
  if (converted.todos.length > 0) {
    const gap = text.endsWith('\n') ? lineEnd : lineEnd + lineEnd
    edits.push({
      range: { start: text.length, end: text.length },
      text: `${gap}${converted.todos.join(lineEnd)}${lineEnd}`,
    })
  }
  return { body: converted, edits }
}
