/**
 * The child between the workplace and a program: it takes the claim, runs the program, and records how it ended, whether or
 * not the workplace is running. A shell, because it starts in a millisecond and is available everywhere.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ProcessId } from '../../model/process-id.ts'
import { findInRun, startInRun } from './run-processes.ts'

/**
 * $1 the claim, $2 the folder of the run, $3 the output limit in blocks of 512 bytes, $4 the system's folder about the
 * current process (Linux), $5 the lease, $6 the mark of the run; then the program and its arguments.
 *
 * `set -C` makes the redirection fail if the file exists: only one process can take a claim. The prompt is checked after
 * that, because a run that is over and cleaned up has none: a late child must not begin it again. So is the lease: a new
 * owner removes it before looking at the claims, so the claim is either seen or not kept. Later lines go to the open claim
 * (8), so that a removed claim does not come back.
 *
 * The program's output goes through `cat`, whose files cannot grow beyond the limit, whether or not they are watched; a
 * program that prints more finds the pipe closed. Files written by the program itself are not limited. The pipes are opened
 * here (out: 3 to read, 4 to write; err: 5 and 6), not by pipelines: each of those would delay the program by one more
 * process. The program starts as the second child, beside the one that manages the `cat`s. A pipe is the rest of a
 * here-document, opened a second time for writing; if a system or a shell does not support that, it is a named pipe.
 *
 * The processes that handle the output ignore signals from the start: otherwise a program asked to end right after its
 * start would lose its last output, and the closed pipe would kill it.
 *
 * The program runs in a subshell that execs it, so that its number is known before it begins, and signals work as usual. It
 * records its start time, because it may change everything else about itself. The wrapper does not: reading that is slow in
 * a shell, and the environment identifies the run of a wrapper as long as it lives.
 *
 * The program is marked by a limit without effect (run-processes.ts); shells call it -w or -x, and some have none.
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
  /** The maximum size in bytes of each of its outputs. */
  readonly most: number
  readonly command: readonly string[]
  readonly cwd: string
  /** A file that is gone when another process runs the workplace. */
  readonly lease: string
  /** Identifies its processes when their environment is gone. */
  readonly mark: string
  /** Names the run, as TROUPE_RUN, which identifies its processes. */
  readonly environment: Readonly<Record<string, string>>
}

/** In its own process group, which outlives us. */
export function startWrapper(
  { claim, folder, most, command, cwd, lease, mark, environment }: WrapperOrder,
  self = '/proc/self',
): ChildProcess {
  // One block more, so that the size shows an excess.
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

/** The lines that a wrapper has written so far; a partial line does not count. */
export interface ClaimFile {
  readonly claimed: ProcessId | null
  readonly started: ProcessId | null
  readonly ended: number | null
  /** Its output is closed: 0 if all of it is on the disk. */
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

/** The shell copies the system's line verbatim; only the start time is used. */
function whoIn(line: string | undefined, run: string, isGoing: boolean): ProcessId | null {
  const [, number, unit, rest = ''] = /^\w+ (\d+) (run|stat|lstart)(?: (.*))?$/.exec(line ?? '') ?? []
  if (number === undefined) return null
  const pid = Number(number)
  if (unit === 'run') {
    const start = startInRun(pid, run)
    // In a container its number differs from the one here; its orchestrator may have run there.
    const below = start === null && isGoing ? findInRun(pid, run) : null
    // No process has such a start: the number now belongs to another process.
    return below ?? { pid, start: start ?? 'over' }
  }
  const start = unit === 'stat' ? rest.split(' ')[19] : rest.trim().replace(/\s+/g, '_')
  return { pid, start: start === undefined || start === '' ? '-' : start }
}
