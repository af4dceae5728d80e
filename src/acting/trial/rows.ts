/** What a trial has shown, member by member. */
import type { Handoff } from '../../workplace/handoff.ts'
import { KERNEL } from '../../workplace/names.ts'
import type { Player } from '../../workplace/player.ts'
import type { Member, Roster } from '../../workplace/roster.ts'
import type { TrialRow } from '../../workplace/trial.ts'
import { isPlayed, type Trial } from './trial.ts'

export function trialRows(
  roster: Roster,
  players: readonly Player[],
  { state, plan, heard, quieted }: Trial,
  programs: boolean,
): TrialRow[] {
  const handoffs = [...state.handoffs.values()]
  const names = [...roster.keys()].filter((name) => name !== KERNEL)
  return names.map((name) => {
    const player = players.find(({ member }) => member === name)
    const isOwn = isPlayed(player, programs)
    const mine = handoffs.find(({ to }) => to === name)
    const by = mine === undefined ? null : !isOwn ? 'stand-in' : player?.harness == null ? 'program' : 'harness'
    const handedTo = [...new Set(handoffs.filter(({ from }) => from === name).map(({ to }) => to))]
    const missing = (plan.hands.get(name) ?? []).filter((one) => !handedTo.includes(one))
    return {
      member: name,
      by,
      as: asText(player),
      started: mine !== undefined && mine.startedAt !== null,
      asPredicted: by === 'harness' ? mine?.answer != null && heard.has(name) : null,
      handedTo,
      answer: mine?.answer ?? null,
      problem: problemOf(mine, by === 'program' ? [] : missing),
      notTried: whyNot(player, roster.get(name), mine !== undefined, quieted, programs),
    }
  })
}

function asText(player: Player | undefined): string {
  if (player?.harness != null) return [player.harness.title, player.harness.version].filter(Boolean).join(' ')
  return player?.command?.join(' ') ?? '-'
}

/** A program of the user's hands on as it likes. */
function problemOf(handoff: Handoff | undefined, missing: readonly string[]): string | null {
  if (handoff === undefined) return null
  if (handoff.status !== 'completed') return handoff.why ?? 'it did not come to an end'
  return missing.length === 0 ? null : `it did not hand on to ${missing.join(', ')}`
}

function whyNot(
  player: Player | undefined,
  member: Member | undefined,
  wasAsked: boolean,
  { leftOut }: Trial['quieted'],
  programs: boolean,
): string | null {
  if (member?.persistent === true) return 'it is always up, and has no end to wait for'
  if (player?.problem?.code === 'no-program')
    return [player.problem.message, player.problem.hint].filter(Boolean).join(' ')
  if (player?.harness == null && player?.command == null)
    return 'no harness and no program is named for it: `troupe work init --harness ID` names one'
  if (player.harness === null && !programs)
    return 'it is a program of yours, and `--yes` did not say that it may be run'
  if (wasAsked) return null
  return member !== undefined && leftOut.includes(member.path)
    ? `${member.path} may start programs, and is too broken to take that out of it`
    : 'it is not in the copy of the project'
}
