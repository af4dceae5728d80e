/** A workplace of members that are small shell programs, which do what their task says: work, fail, hang, die, flood, fork. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type WorkplacePaths, workplacePaths } from '../../../src/team/engine/paths.ts'
import { initWorkplace } from '../../../src/team/runtime/init.ts'

export const members = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn', 'gus', 'path-to-prod']

/** What is written, each kind to a disk of its own, so that each can be full while the others are not. */
export const kinds = ['output', 'journal', 'claims', 'inbox', 'chat'] as const
export type Kind = (typeof kinds)[number]

export function diskOf({ runs, run, claims, inbox, folder }: WorkplacePaths, kind: Kind): string {
  return { output: runs, journal: run, claims, inbox, chat: folder }[kind]
}

const sizes: Record<Exclude<Kind, 'chat'>, string> = { journal: '48m', output: '32m', claims: '1m', inbox: '8m' }

/** The root is a disk already, that of the chat. */
export function mountDisks(root: string): void {
  const places = workplacePaths(root)
  for (const kind of ['journal', 'output', 'claims', 'inbox'] as const) {
    const folder = diskOf(places, kind)
    mkdirSync(folder, { recursive: true })
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizes[kind]}`, 'none', folder])
    if (status !== 0) throw new Error(`no disk for the ${kind}: ${stderr}`)
  }
}

/**
 * The task holds words: `sleep=S`, `end=fine|fail|die|hang|flood|escape|vanish`, `after=S`, `next=NAME:TASK`. What is left behind
 * by `vanish` has nothing of its parent but the folder it runs in, which is how the test finds it.
 */
const program = (ledger: string) => `#!/bin/sh
prompt=$(cat)
task=\${prompt##*"What's needed:"}
task=\${task%%Conversation so far*}
word() { rest=\${task#*"$1="}; [ "$rest" = "$task" ] && return 1; rest=\${rest%% *}; value=\${rest%%
*}; }
text="task \${task#*task }"
text=\${text%%
*}
tell() { echo "$*" >> '${ledger}'/"$TROUPE_AGENT.log"; }
tell "start $TROUPE_RUN $text"
word sleep && [ "$value" != 0 ] && sleep "$value"
if word next; then
  echo '{"type":"handoff","to":"'"\${value%%:*}"'","text":"task '"\${value#*:}"' sleep=0 end=fine"}'
fi
end=fine
word end && end=$value
# Trouble is for the first attempt: the second one gets through.
[ "$TROUPE_ATTEMPT" -gt 1 ] && [ "$end" != hopeless ] && end=fine
case $end in
  fine)
    echo '{"type":"result","text":"done '"$TROUPE_RUN"'"}'
    tell "end $TROUPE_RUN"
    word after && sleep "$value"
    exit 0 ;;
  fail|hopeless) echo "no luck" >&2; exit 3 ;;
  die) kill -9 $$ ;;
  hang) sleep 600 & wait ;;
  flood) exec yes "all work and no play" ;;
  escape) setsid sh -c 'sleep 600' > /dev/null 2>&1 & ;;
  vanish) (cd '${ledger}/away' && env -i setsid sh -c 'sleep 600' > /dev/null 2>&1) & ;;
esac
echo '{"type":"result","text":"done '"$TROUPE_RUN"'"}'
tell "end $TROUPE_RUN"
`

/** `ledger`: a folder on another disk, for the log of the members. */
export function makeWorkplace(root: string, ledger: string): WorkplacePaths {
  mkdirSync(join(ledger, 'away'), { recursive: true })
  const agents = join(root, '.workplace/agents')
  mkdirSync(agents, { recursive: true })
  for (const name of members) {
    const others = members.filter((other) => other !== name)
    writeFileSync(
      join(agents, `${name}.md`),
      `---\nname: ${name}\nrole: "Worker"\nhandoff_to: ${JSON.stringify(others)}\n---\nYou work.\n`,
    )
  }
  const script = join(root, 'member.sh')
  writeFileSync(script, program(ledger))
  chmodSync(script, 0o755)
  const settings = [
    'work:',
    `  command: [${JSON.stringify(script)}]`,
    '  backoff: 0.05',
    '  attempts: 4',
    `  minutes: ${LIMIT}`,
    '  megabytes: 1',
    '  parallel: 6',
  ]
  writeFileSync(join(root, 'troupe.yaml'), `${settings.join('\n')}\n`)
  initWorkplace(root, { name: 'faults', description: '', others: members })
  return workplacePaths(root)
}

/** So long a member may take (minutes). */
export const LIMIT = 0.05
