/** A shell in a real terminal, with keys pressed one after the other. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const cli = resolve('dist/cli.cjs')

export type Shell = 'bash' | 'zsh' | 'fish'

/** What somebody has who follows the help, in a shell that has read no other settings. */
const starts: Record<Shell, { readonly words: string; readonly lines: readonly string[] }> = {
  bash: { words: 'bash --norc --noprofile -i', lines: ['source <(troupe completion bash)', "PS1='ready''>'"] },
  zsh: {
    words: 'zsh -f -i',
    lines: ['autoload -Uz compinit', 'compinit -u -D', 'source <(troupe completion zsh)', "PS1='ready''>'"],
  },
  fish: {
    words: 'fish --no-config -i',
    lines: ['troupe completion fish | source', "function fish_prompt; printf 'ready%s' '>'; end"],
  },
}

/** A `troupe` that says what it was called with, and is the real one for what a completion asks. */
export function installTroupe(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'troupe')
  writeFileSync(
    path,
    `#!/bin/sh
case " $* " in *" completion "*) exec '${process.execPath}' '${cli}' "$@" ;; esac
printf 'called'; printf ' <%s>' "$@"; echo ' .'
`,
  )
  chmodSync(path, 0o755)
}

/** Types this, and gives back the words that troupe was called with. */
export function type(shell: Shell, keys: string, here: string, programs: string): Promise<readonly string[]> {
  const { words, lines } = starts[shell]
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    HOME: here,
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    XDG_CONFIG_HOME: join(here, '.config'),
    XDG_DATA_HOME: join(here, '.local'),
  }
  const child = spawn('script', ['-qec', words, '/dev/null'], { cwd: here, env, stdio: ['pipe', 'pipe', 'inherit'] })
  return new Promise((done, fail) => {
    let text = ''
    let isReady = false
    const timer = setTimeout(() => end(new Error(`Nothing came of it:\n${text}`)), 30_000)
    const end = (outcome: Error | readonly string[]) => {
      clearTimeout(timer)
      child.kill('SIGHUP')
      if (outcome instanceof Error) fail(outcome)
      else done(outcome)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!isReady && text.includes('ready>')) {
        isReady = true
        child.stdin.write(`troupe ${keys}\r`)
      }
      const called = /called((?: <[^>]*>)*) \./.exec(text)?.[1]
      if (called !== undefined) end([...called.matchAll(/<([^>]*)>/g)].map(([, word = '']) => word))
    })
    child.on('close', () => end(new Error(`It ended:\n${text}`)))
    child.stdin.write(`${lines.join('\r')}\r`)
  })
}
