/** Which commands of sections may be run: those that the user has trusted, in this project, word for word. */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRegularText } from '../project/regular-file.ts'
import { expandPlace } from '../project/roots.ts'

/** Outside of every project: nobody can trust themselves. */
function trustList(): string {
  return join(expandPlace('${XDG_CONFIG_HOME:-~/.config}'), 'troupe', 'trusted-hud-commands.json')
}

/** The same words can mean something else in another project. */
function fingerprint(root: string, command: string): string {
  const real = existsSync(root) ? realpathSync(root) : root
  return hash('sha256', JSON.stringify([real, command]), 'hex')
}

export function isTrusted(root: string, command: string): boolean {
  return trusted().has(fingerprint(root, command))
}

export function trustCommands(root: string, commands: readonly string[]): void {
  change((list) => {
    for (const command of commands) list.add(fingerprint(root, command))
  })
}

export function distrustCommands(root: string, commands: readonly string[]): void {
  change((list) => {
    for (const command of commands) list.delete(fingerprint(root, command))
  })
}

function change(how: (list: Set<string>) => void): void {
  const list = trusted()
  how(list)
  const path = trustList()
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify([...list].sort(), null, 2)}\n`)
  renameSync(temporary, path)
}

function trusted(): Set<string> {
  try {
    const list: unknown = JSON.parse(readRegularText(trustList()))
    return new Set(Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}
