/** The gaps of a target on the page, by class, each with what a person can do about it. */
import { severityBadge } from './conversion-html-agent.ts'
import { manualSteps } from './gap-advice.ts'
import {
  deciderWords,
  type GapGroup,
  groupGaps,
  namesOf,
  resolutionsOf,
  resolutionWords,
  typeWords,
} from './gap-groups.ts'
import { code, details, escapeHtml, type Html, join, prose, tag, words } from './html.ts'
import { plural } from './layout.ts'
import type { TargetPart } from './migration.ts'
import { quoteSome, sentence } from './prose.ts'

/** More classes than anybody reads. */
const MOST = 1000

export function gapList({ conversions }: TargetPart): Html {
  const groups = groupGaps(conversions)
  if (groups.length === 0) return tag('p', { class: 'soft' }, escapeHtml('Nothing: everything has an equivalent.'))
  const shown = groups.slice(0, MOST).map(gapDetails)
  return tag('div', { class: 'card' }, ...shown)
}

function gapDetails(group: GapGroup): Html {
  const done = resolutionsOf(group)
  const names = namesOf(group)
  const others =
    group.otherReasons === 0
      ? ''
      : ` (${plural(group.otherReasons, 'other agent differs', 'other agents differ')} in the details.)`
  const doneText = done
    .map(([resolution, count]) => (done.length === 1 ? '' : `${count} `) + resolutionWords[resolution])
    .join(', ')
  const deciders = [...new Set(group.members.map(({ decidedBy }) => deciderWords[decidedBy]))].join(', ')
  const summary = join([
    severityBadge(group.severity),
    tag('span', { class: 'name' }, code(group.feature, 80)),
    tag('span', { class: 'soft small' }, words(typeWords[group.type])),
    tag('span', { class: 'end' }, escapeHtml(`${plural(names.length, 'agent')}, ${doneText}`)),
  ])
  const steps = manualSteps(
    group,
    done.map(([resolution]) => resolution),
  )
  return details(summary, [
    tag('p', {}, tag('b', {}, escapeHtml('Why: ')), prose(sentence(group.reason) + others)),
    ...(group.workaround === null
      ? []
      : [tag('p', {}, tag('b', {}, escapeHtml('Suggested workaround: ')), prose(sentence(group.workaround)))]),
    tag('p', {}, tag('b', {}, escapeHtml('Agents: ')), prose(quoteSome(names, 60), 6000)),
    tag('p', {}, tag('b', {}, escapeHtml('Decided: ')), escapeHtml(`${doneText}, ${deciders}`)),
    tag('p', {}, tag('b', {}, escapeHtml('Manual steps:'))),
    tag('ol', {}, ...steps.map((step) => tag('li', {}, prose(step)))),
  ])
}
