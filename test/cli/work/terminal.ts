/** A program in a real terminal, with an emulator that shows what a person would see. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import xterm from '@xterm/headless'
import { until } from '../../team/new-workplace.ts'

export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

export interface RealTerminal {
  readonly pid: () => number
  readonly lines: () => string[]
  readonly text: () => string
  /** All that was sent to it so far. */
  readonly sent: () => string
  readonly isOtherScreen: () => boolean
  readonly press: (keys: string) => void
  readonly resize: (size: TerminalSize) => void
  /** Waits until the screen shows it. */
  readonly shows: (what: string | RegExp) => Promise<void>
  /** The exit code of the program, and the terminal's settings as the program left them. */
  readonly ended: Promise<{ readonly code: number; readonly settings: string }>
  readonly close: () => void
}

export function openTerminal(
  words: readonly string[],
  size: TerminalSize,
  environment: Readonly<Record<string, string>> = {},
): RealTerminal {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-terminal-'))
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const line = [
    // Ctrl-C also reaches the shell around the program, which must live to say how it ended.
    `trap : INT`,
    `stty rows ${size.rows} cols ${size.columns}`,
    `tty > ${folder}/tty`,
    `sh -c 'echo $$ > ${folder}/pid; exec "$@"' sh ${quoted}`,
    `code=$?`,
    `stty -a > ${folder}/settings`,
    `exit $code`,
  ].join('; ')
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(TROUPE_|CI$|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$)/.test(name),
  )
  const env = { ...Object.fromEntries(own), SHELL: '/bin/sh', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...environment }
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const emulator = new xterm.Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true })
  let sent = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    sent += text
    emulator.write(text)
  })
  const lines = () => {
    const { active } = emulator.buffer
    return Array.from(
      { length: emulator.rows },
      (_, index) => active.getLine(active.baseY + index)?.translateToString(true) ?? '',
    )
  }
  const text = () => lines().join('\n')
  // Where the test ends first, there are none.
  const settings = () => (existsSync(join(folder, 'settings')) ? readFileSync(join(folder, 'settings'), 'utf8') : '')
  const ended = new Promise<{ code: number; settings: string }>((resolve) =>
    child.on('close', (code) => emulator.write('', () => resolve({ code: code ?? -1, settings: settings() }))),
  )
  return {
    pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
    lines,
    text,
    sent: () => sent,
    isOtherScreen: () => emulator.buffer.active.type === 'alternate',
    press: (keys) => void child.stdin.write(keys),
    resize: ({ columns, rows }) => {
      emulator.resize(columns, rows)
      const tty = readFileSync(join(folder, 'tty'), 'utf8').trim()
      spawnSync('stty', ['-F', tty, 'rows', String(rows), 'cols', String(columns)])
    },
    shows: async (what) => {
      try {
        await until(() => (typeof what === 'string' ? text().includes(what) : what.test(text())))
      } catch {
        throw new Error(`The screen never showed ${what}:\n${text()}`)
      }
    },
    ended,
    close: () => {
      child.kill('SIGKILL')
      emulator.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
