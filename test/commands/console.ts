/** Runs the console examples of a Markdown file: a command line after `$`, and what it must print. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { builtInHarnesses } from '../../src/harness/registry.ts'

const program = resolve('dist/cli.cjs')

/** The examples do not change with every harness that Troupe learns about. */
const harnesses = [
  ...['agent-toml', 'agents', 'claude-code', 'codex', 'copilot', 'gemini-cli', 'opencode', 'promptscript'],
  ...['qwen-code', 'workplace'],
].join(',')

export interface Step {
  readonly kind: 'file' | 'run'
  /** The heading above it. */
  readonly title: string
  /** File path, or command line. */
  readonly subject: string
  /** File content, or expected output. */
  readonly text: string
  /** Where the expected output stands in the Markdown, for rewriting it. */
  readonly start: number
  readonly end: number
}

/** `console lab` needs the real harnesses. */
export type Kind = 'console' | 'console lab'

/** Blocks ```` ```file PATH ```` make files; in ```` ```console ```` each line `$ troupe ...` is run. */
export function parseSteps(markdown: string, wanted: Kind): Step[] {
  const steps: Step[] = []
  const block = /^```(console(?: lab)?|file (\S+))\n([\s\S]*?)^```$/gm
  for (let match = block.exec(markdown); match !== null; match = block.exec(markdown)) {
    const [whole, kind = '', path, content = ''] = match
    const title = lastHeading(markdown.slice(0, match.index))
    const from = match.index + whole.indexOf('\n') + 1
    if (path !== undefined) {
      steps.push({ kind: 'file', title, subject: path, text: content, start: from, end: from + content.length })
      continue
    }
    if (kind !== wanted) continue
    const command = /^\$ (.*)\n/gm
    const commands = [...content.matchAll(command)]
    for (const [index, one] of commands.entries()) {
      const start = from + one.index + one[0].length
      const end = from + (commands[index + 1]?.index ?? content.length)
      steps.push({ kind: 'run', title, subject: one[1] ?? '', text: markdown.slice(start, end), start, end })
    }
  }
  return steps
}

function lastHeading(text: string): string {
  return [...text.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? ''
}

export interface Stage {
  readonly folder: string
  readonly write: (path: string, content: string) => void
  /** Output of both streams as a person sees it, with `[exit N]` at the end where N is not 0. */
  readonly run: (commandLine: string) => string
  /** The JSON documents that were printed since this was last asked. */
  readonly takeDocuments: () => PrintedDocument[]
  readonly close: () => void
}

export interface PrintedDocument {
  readonly command: string
  readonly text: string
}

/** What is asked for as JSON is kept on its way to whatever the command line does with it; prose comes before it. */
const keepingDocuments = `
troupe() {
  case " $* " in
    *" --json "*) ;;
    *) "$NODE" "$PROGRAM" "$@"; return ;;
  esac
  local document code
  document=$(mktemp "$DOCUMENTS/XXXXXXXX")
  printf '%s\\n' "$@" > "$document.words"
  "$NODE" "$PROGRAM" "$@" > "$document"
  code=$?
  cat "$document"
  return "$code"
}
`

/** A folder of its own, and a home folder of its own, so that nothing of the machine shows. */
export function openStage(startingFrom?: string, programs?: string): Stage {
  const root = mkdtempSync(join(tmpdir(), 'troupe-console-'))
  const folder = join(root, 'project')
  const home = join(root, 'home')
  const documents = join(root, 'documents')
  for (const path of [folder, home, documents]) mkdirSync(path)
  if (startingFrom !== undefined) cpSync(startingFrom, folder, { recursive: true })
  return {
    folder,
    write: (path, content) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    },
    run: (commandLine) => {
      const script = `exec 2>&1; ${keepingDocuments} ${commandLine}`
      const places = { NODE: process.execPath, PROGRAM: program, DOCUMENTS: documents }
      const path = [...(programs === undefined ? [] : [programs]), ...foldersWithoutHarnesses()].join(':')
      const env = { PATH: path, HOME: home, NO_COLOR: '1', LANG: 'C.UTF-8', TROUPE_HARNESSES: harnesses, ...places }
      const { stdout, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' })
      return status === 0 ? stdout : `${stdout}[exit ${status}]\n`
    },
    takeDocuments: () => {
      const names = readdirSync(documents).filter((name) => !name.endsWith('.words'))
      return names.map((name) => {
        const path = join(documents, name)
        const words = readFileSync(`${path}.words`, 'utf8').split('\n')
        const text = readFileSync(path, 'utf8')
        for (const one of [path, `${path}.words`]) rmSync(one)
        return { command: commandIn(words), text }
      })
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** What is installed on a machine must not show in an example. */
function foldersWithoutHarnesses(): string[] {
  const names = builtInHarnesses.flatMap(({ oracle }) => (oracle === undefined ? [] : [oracle.program.name]))
  const folders = (process.env.PATH ?? '').split(':')
  return folders.filter((folder) => !names.some((name) => existsSync(join(folder, name))))
}

/** The first word that is neither an option nor the value of -C; commands of `work` have two. */
function commandIn(words: readonly string[]): string {
  const found = words.filter((word, index) => word !== '' && !word.startsWith('-') && words[index - 1] !== '-C')
  const [first = 'overview', second] = found
  return first === 'work' && second !== undefined ? `work-${second}` : first
}
