/** A workplace to measure: members that are one-line shell commands, and an orchestrator that keeps running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMutexOwner } from '../src/disk/mutex.ts'
import { type WorkplacePaths, workplacePaths } from '../src/team/engine/paths.ts'
import { initWorkplace } from '../src/team/runtime/init.ts'

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function makeBenchPlace(root: string, members: readonly string[], line: string): WorkplacePaths {
  mkdirSync(join(root, '.workplace/agents'), { recursive: true })
  for (const name of members)
    writeFileSync(join(root, `.workplace/agents/${name}.md`), `---\nname: ${name}\nrole: "Worker"\n---\nYou work.\n`)
  writeFileSync(join(root, 'troupe.yaml'), `work:\n  command: [/bin/sh, -c, '${line}']\n`)
  initWorkplace(root, { name: 'bench', description: '', others: [...members] })
  return workplacePaths(root)
}

/** It is up when this returns. */
export async function startStaying(root: string, cli: string): Promise<ChildProcess> {
  const words = [cli, '-C', root, 'work', 'resume', '--stay', '--quiet']
  const child = spawn(process.execPath, words, { stdio: 'ignore' })
  for (let waited = 0; readMutexOwner(workplacePaths(root).run) === null; waited++) {
    if (waited > 500) throw new Error('the workplace did not start')
    await pause(20)
  }
  return child
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
