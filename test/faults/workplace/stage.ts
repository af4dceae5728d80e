/** A workplace of members that are small shell programs, which do what their task says: work, fail, hang, die, flood. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { initWorkplace } from '../../../src/runtime/init.ts'
import { type Places, placesOf } from '../../../src/runtime/places.ts'

export const members = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn', 'gus', 'path-to-prod']

/**
 * The task holds words: `sleep=S`, `end=fine|fail|die|hang|flood`, `after=S`, `next=NAME:TASK`. Every start leaves a
 * mark with run and process, by which the test counts what really ran.
 */
const program = `#!/bin/sh
prompt=$(cat)
echo x > "$TROUPE_WORKPLACE/marks/$TROUPE_RUN.$$"
task=\${prompt##*"What's needed:"}
task=\${task%%Conversation so far*}
word() { rest=\${task#*"$1="}; [ "$rest" = "$task" ] && return 1; rest=\${rest%% *}; value=\${rest%%
*}; }
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
    echo '{"type":"result","text":"done"}'
    : > "$TROUPE_WORKPLACE/done/$TROUPE_RUN"
    word after && sleep "$value"
    exit 0 ;;
  fail|hopeless) echo "no luck" >&2; exit 3 ;;
  die) kill -9 $$ ;;
  hang) sleep 600 & wait ;;
  flood) exec yes "all work and no play" ;;
  escape) setsid sh -c 'sleep 600' > /dev/null 2>&1 & echo '{"type":"result","text":"done"}' ;;
esac
`

export function makeWorkplace(root: string): Places {
  for (const folder of ['marks', 'done']) mkdirSync(join(root, folder), { recursive: true })
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
  writeFileSync(script, program)
  chmodSync(script, 0o755)
  const settings = [
    'work:',
    `  command: [${JSON.stringify(script)}]`,
    '  backoff: 0.05',
    '  attempts: 4',
    '  minutes: 0.05',
    '  megabytes: 1',
    '  parallel: 6',
  ]
  writeFileSync(join(root, 'troupe.yaml'), `${settings.join('\n')}\n`)
  initWorkplace(root, { name: 'faults', description: '', others: members })
  return placesOf(root)
}
