/** What `troupe work init` tells: what it made, changed and left, who plays the members, and what comes next. */
import { notInstalled, type Playable } from '../../acting/installed.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { pad } from '../../report/layout.ts'
import { type Paper, wrapped } from '../../report/paper.ts'
import type { Initialized } from '../../runtime/init.ts'
import { FOLDER } from '../../runtime/places.ts'
import type { Choice, PlayerSetting } from './choose-player.ts'

/** What is for people to look at; the files of the workplace's own are one line. */
export function changeLines({ made, changed, left }: Initialized, setting: PlayerSetting | null): string[] {
  const isForPeople = (path: string) => path.startsWith(`${FOLDER}/agents/`) || !path.startsWith(`${FOLDER}/`)
  const own = made.some((path) => !isForPeople(path)) ? [`made     ${FOLDER}/`] : []
  const shown = (path: string) =>
    path === TROUPE_FILE && setting !== null ? `${path}  work.${settingText(setting)}` : path
  const why = { edited: 'you have edited it', removed: 'you have removed it' }
  if (made.length + changed.length + left.length === 0) return ['Everything is in place.']
  return [
    ...own,
    ...made.filter(isForPeople).map((path) => `made     ${shown(path)}`),
    ...changed.map((path) => `changed  ${shown(path)}`),
    ...left.map((one) => `left     ${one.path}  ${why[one.why]}`),
  ]
}

function settingText(setting: PlayerSetting): string {
  return 'harness' in setting ? `harness: ${setting.harness}` : `command: ${setting.command}`
}

export interface Played {
  readonly choice: Choice
  /** As troupe.yaml says it now. */
  readonly player: PlayerSetting | null
  /** Why troupe.yaml could not be changed. */
  readonly failed: string | null
  /** A member has neither a harness nor a program. */
  readonly isUnplayed: boolean
}

export function playerLines(paper: Paper, playable: readonly Playable[], played: Played): string[] {
  const { choice, failed } = played
  const refused =
    failed === null || choice.setting === null
      ? []
      : [
          `${TROUPE_FILE} was left as it is: ${failed}. Write \`${settingText(choice.setting)}\` below \`work:\` yourself.`,
        ]
  const next = 'Next: `troupe work check`, then `troupe work try`, which needs neither a key nor a network.'
  const sentences = [...refused, ...whoPlays(playable, played), next]
  // A row of the list below stays on its line.
  return sentences.flatMap((one) => (one.startsWith('  ') ? [one] : wrapped(paper, one, 0)))
}

function whoPlays(playable: readonly Playable[], { choice, player, isUnplayed }: Played): string[] {
  if (player !== null && 'command' in player) return [`Members are played by \`${player.command}\`, with your rights.`]
  const named = playable.find(({ harness }) => harness.id === player?.harness)
  if (named !== undefined) {
    const others = playable.filter((one) => one !== named && one.program !== null).map(({ harness }) => harness.id)
    const { message, hint = '' } = notInstalled(named.harness)
    return [
      `Members are played in ${named.harness.title}${choice.why === null ? '' : `, ${choice.why}`}.`,
      ...(named.program === null ? [`${message} ${hint}`] : []),
      `\`troupe work init --harness ID\` changes that${others.length === 0 ? '' : ` (${others.join(', ')})`}; \`--command LINE\` names any program.`,
    ]
  }
  if (!isUnplayed) return ['Each member is played in the harness that it is written for.']
  const width = Math.max(...playable.map(({ harness }) => harness.id.length))
  const rows = playable.map(({ harness, oracle, program }) => {
    const how = program === null ? (oracle.program.install ?? 'not installed') : 'installed'
    return `  ${pad(harness.id, width)}  ${how}`
  })
  return [
    'Nothing plays the members yet. Harnesses that can:',
    ...rows,
    'Choose one with `troupe work init --harness ID`, or a program of your own with `--command LINE`.',
  ]
}
