/**
 * The child that stands between the workplace and a program: it takes the claim, runs the program, and writes down how
 * it ended, whether or not anybody is there to read it. A shell, because that starts in a millisecond and is everywhere.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * $1 the claim, $2 the folder of the run, $3 how much it may print in blocks of 512 bytes; then the program and its words.
 *
 * `set -C` makes the redirection fail if the file is there: only one can take a claim. The prompt is looked for after
 * that, because a run that is over and cleared away has none: a child that was late must not begin it again. What
 * follows goes to the open claim (8), so that a claim that was cleared away does not come back.
 * The program runs in a subshell that becomes it, so that its number is known before it begins, and signals are as usual.
 * What it prints goes through `cat`, whose files cannot grow beyond the limit, whether or not anybody watches; a program
 * that prints more finds the pipe closed. Files that the program itself writes are its own affair.
 */
const script = `
claim=$1 folder=$2 most=$3
shift 3
if [ -r /proc/self/stat ]; then
  whoami() { read -r line < /proc/self/stat; who="\${line%% *} stat \${line##*) }"; }
else
  whoami() { me=$(exec sh -c 'echo $PPID'); who="$me lstart $(LC_ALL=C ps -o lstart= -p "$me")"; }
fi
bounded() { trap '' HUP INT TERM; ulimit -c 0; ulimit -f "$most"; exec cat; }
whoami
set -C
{ echo "claimed $who" > "$claim"; } 2> /dev/null || exit 0
set +C
[ -s "$folder/prompt.md" ] || { rm -f "$claim"; exit 0; }
exec 8>> "$claim"
{
  {
    ( whoami; echo "started $who" >&8 || exit 71; exec "$@" 7>&- 8>&- ) < "$folder/prompt.md" 2>&1 >&7
    echo "ended $?" >&8
  } | bounded > "$folder/err" 7>&- 8>&-
} 7>&1 | bounded > "$folder/out" 8>&-
echo "closed $?" >&8
`

export interface WrapperOrder {
  readonly claim: string
  readonly folder: string
  /** The most it may print, in bytes, to each of its outputs. */
  readonly most: number
  readonly command: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

/** In a group of its own, which outlives us. */
export function startWrapper({ claim, folder, most, command, cwd, environment }: WrapperOrder): ChildProcess {
  // One block more: then its size tells that it was too much.
  const blocks = String(Math.floor(most / 512) + 1)
  const child = spawn('/bin/sh', ['-c', script, 'troupe', claim, folder, blocks, ...command], {
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
  readonly claimed: { readonly pid: number; readonly start: string } | null
  readonly started: { readonly pid: number; readonly start: string } | null
  readonly ended: number | null
  /** Nobody holds its output any more: 0 where all that it printed is on the disk. */
  readonly closed: number | null
}

export function readClaim(text: string): ClaimFile {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  const find = (word: string) => lines.find((line) => line.startsWith(`${word} `))
  const code = (word: string) => {
    const digits = /^\w+ (\d+)$/.exec(find(word) ?? '')?.[1]
    return digits === undefined ? null : Number(digits)
  }
  return {
    claimed: whoIn(find('claimed')),
    started: whoIn(find('started')),
    ended: code('ended'),
    closed: code('closed'),
  }
}

/** The shell copies the system's line as it is; what counts in it is the moment of the start. */
function whoIn(line: string | undefined): ClaimFile['claimed'] {
  const [, pid, unit, rest = ''] = /^\w+ (\d+) (stat|lstart) (.*)$/.exec(line ?? '') ?? []
  if (pid === undefined) return null
  const start = unit === 'stat' ? rest.split(' ')[19] : rest.trim().replace(/\s+/g, '_')
  return { pid: Number(pid), start: start === undefined || start === '' ? '-' : start }
}
