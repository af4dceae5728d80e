/**
 * The child that stands between the workplace and a program: it takes the claim, runs the program, and writes down how
 * it ended, whether or not anybody is there to read it. A shell, because that starts in a millisecond and is everywhere.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ProcessId } from '../../model/process-id.ts'
import { findInRun, startInRun } from './run-processes.ts'

/**
 * $1 the claim, $2 the folder of the run, $3 how much it may print in blocks of 512 bytes, $4 what the system tells a
 * process about itself (Linux), $5 the lease, $6 the mark of the run; then the program and its words.
 *
 * `set -C` makes the redirection fail if the file is there: only one can take a claim. The prompt is looked for after
 * that, because a run that is over and cleared away has none: a child that was late must not begin it again. So is the
 * lease: whoever takes over removes it before looking at the claims, so either the claim is seen, or not kept. What
 * follows goes to the open claim (8), so that a claim that was cleared away does not come back.
 *
 * What the program prints goes through `cat`, whose files cannot grow beyond the limit, whether or not anybody watches; a
 * program that prints more finds the pipe closed. Files that the program itself writes are its own affair. The pipes are
 * opened here (out: 3 to read, 4 to write; err: 5 and 6), and not by pipelines: each of those would put one more process
 * in the way of the program, which begins as the second child, beside the one that looks after the `cat`s. A pipe is
 * what is left of a text that the shell hands over, opened a second time, this time to write; where a system or a shell
 * does not do that, it is a file of that kind.
 *
 * Those who look after the output heed no signal from the moment they exist: a program that is asked to end when it has
 * just begun would find nobody to say its last words to, and the closed pipe would be its end.
 *
 * The program runs in a subshell that becomes it, so that its number is known before it begins, and signals are as usual.
 * It says when it started, because it may change all else about itself. The wrapper does not: for a shell, reading that
 * takes long, and the environment tells which run a wrapper belongs to for as long as it lives.
 *
 * The program is marked by a limit that means nothing (run-processes.ts); shells call it -w or -x, and some have none.
 */
const script = `
claim=$1 folder=$2 most=$3 self=$4 lease=$5 mark=$6
shift 6
if [ -r "$self/stat" ]; then
  who="$$ run"
  whoami() { read -r line < "$self/stat"; who="\${line%% *} stat \${line##*) }"; }
else
  whoami() { me=$(exec sh -c 'echo $PPID'); who="$me lstart $(LC_ALL=C ps -o lstart= -p "$me")"; }
  whoami
fi
bounded() { ulimit -c 0; ulimit -f "$most"; LC_ALL=C exec cat; }
set -C
{ echo "claimed $who" > "$claim"; } 2> /dev/null || exit 0
set +C
[ -e "$lease" ] && [ -s "$folder/prompt.md" ] || { rm -f "$claim"; exit 0; }
exec 8>> "$claim"
exec 3<< END 5<< END
END
END
if [ -p "$self/fd/3" ]; then
  exec 4> "$self/fd/3" 6> "$self/fd/5"
else
  rm -f "$folder/pipe3" "$folder/pipe5"
  mkfifo -m 600 "$folder/pipe3" "$folder/pipe5" || exit 71
  exec 7<> "$folder/pipe3" 3< "$folder/pipe3" 4> "$folder/pipe3"
  exec 7<> "$folder/pipe5" 5< "$folder/pipe5" 6> "$folder/pipe5" 7>&-
  rm -f "$folder/pipe3" "$folder/pipe5"
fi
trap '' HUP INT TERM
{
  exec 4>&- 6>&- 8>&-
  bounded <&3 > "$folder/out" 3<&- 5<&- &
  out=$!
  bounded <&5 > "$folder/err" 3<&- 5<&- &
  exec 3<&- 5<&-
  wait $out; code=$?
  wait
  exit $code
} &
trap - HUP INT TERM
exec 3<&- 5<&-
( { ulimit -S -w "$mark" || ulimit -S -x "$mark"; } 2> /dev/null || :; whoami; echo "started $who" >&8 || exit 71; exec "$@" >&4 2>&6 4>&- 6>&- 8>&- ) < "$folder/prompt.md"
echo "ended $?" >&8
exec 4>&- 6>&-
wait $!
echo "closed $?" >&8
`

export interface WrapperOrder {
  readonly claim: string
  readonly folder: string
  /** The most it may print, in bytes, to each of its outputs. */
  readonly most: number
  readonly command: readonly string[]
  readonly cwd: string
  /** A file that is gone when another process runs the workplace. */
  readonly lease: string
  /** By which its processes are known when their environment is gone. */
  readonly mark: string
  /** Names the run, as TROUPE_RUN: by that its processes are known. */
  readonly environment: Readonly<Record<string, string>>
}

/** In a group of its own, which outlives us. */
export function startWrapper(
  { claim, folder, most, command, cwd, lease, mark, environment }: WrapperOrder,
  self = '/proc/self',
): ChildProcess {
  // One block more: then its size tells that it was too much.
  const blocks = String(Math.floor(most / 512) + 1)
  const child = spawn('/bin/sh', ['-c', script, 'troupe', claim, folder, blocks, self, lease, mark, ...command], {
    cwd,
    env: environment,
    detached: true,
    stdio: 'ignore',
  })
  child.unref()
  return child
}

/** The lines that a wrapper has written by now; half a line is none. */
export interface ClaimFile {
  readonly claimed: ProcessId | null
  readonly started: ProcessId | null
  readonly ended: number | null
  /** Nobody holds its output any more: 0 where all that it printed is on the disk. */
  readonly closed: number | null
}

export function readClaim(text: string, run: string): ClaimFile {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  const find = (word: string) => lines.find((line) => line.startsWith(`${word} `))
  const code = (word: string) => {
    const digits = /^\w+ (\d+)$/.exec(find(word) ?? '')?.[1]
    return digits === undefined ? null : Number(digits)
  }
  const ended = code('ended')
  return {
    claimed: whoIn(find('claimed'), run, ended === null),
    started: whoIn(find('started'), run, ended === null),
    ended,
    closed: code('closed'),
  }
}

/** The shell copies the system's line as it is; what counts in it is the moment of the start. */
function whoIn(line: string | undefined, run: string, isGoing: boolean): ProcessId | null {
  const [, number, unit, rest = ''] = /^\w+ (\d+) (run|stat|lstart)(?: (.*))?$/.exec(line ?? '') ?? []
  if (number === undefined) return null
  const pid = Number(number)
  if (unit === 'run') {
    const start = startInRun(pid, run)
    // In a container it has another number than for us, who may have come after its orchestrator.
    const below = start === null && isGoing ? findInRun(pid, run) : null
    // No process has such a start: whoever has the number now is somebody else.
    return below ?? { pid, start: start ?? 'over' }
  }
  const start = unit === 'stat' ? rest.split(' ')[19] : rest.trim().replace(/\s+/g, '_')
  return { pid, start: start === undefined || start === '' ? '-' : start }
}
