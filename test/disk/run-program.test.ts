/** Programs that hang, crash, talk too much, print rubbish or leave children behind: an answer, a reason, no orphan. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../src/disk/run-program.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { createIsolatedProject } from '../../src/verify/isolate.ts'
import { askLoader, readProgramVersion } from '../../src/verify/loader.ts'
import type { Runnable } from '../../src/verify/run-recipe.ts'
import { runAsChildren, runAsMain } from '../../src/verify/turns.ts'
import { isAlive } from '../alive.ts'
import { registry } from '../reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-programs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function script(name: string, lines: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

const run = (program: string, limit = 5000) =>
  runProgram({ program, args: [], cwd: folder, environment: { PATH: process.env.PATH ?? '' }, limit })

describe('running a program', () => {
  test('that ends by itself', async () => {
    expect(await run(script('fine', 'echo out; echo err >&2; exit 3'))).toEqual({
      exit: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      trouble: null,
      cause: null,
    })
  })

  test('that is not there', async () => {
    expect((await run(join(folder, 'nowhere'))).trouble).toContain('could not be started (ENOENT)')
  })

  test('that hangs, with a child that hangs too', async () => {
    const { trouble, exit, stdout } = await run(script('hangs', 'sleep 60 & echo $!; sleep 60'), 300)
    expect(trouble).toContain('did not end')
    expect(exit).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isAlive(Number(stdout))).toBe(false)
  })

  test('that ends and leaves a child behind', async () => {
    const { trouble, exit, stdout } = await run(script('leaves', 'sleep 60 & echo $!; exit 0'))
    expect({ trouble, exit }).toEqual({ trouble: null, exit: 0 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isAlive(Number(stdout))).toBe(false)
  })

  test('that crashes', async () => {
    expect((await run(script('crashes', 'kill -SEGV $$'))).trouble).toBe('it was killed by SIGSEGV')
  })

  test('that never stops talking', async () => {
    expect((await run(script('talks', 'yes'), 60_000)).trouble).toContain('printed more than')
  }, 60_000)

  test('that says more than is wanted, and ends before anybody looks', async () => {
    const wanted = { args: [], cwd: folder, environment: { PATH: process.env.PATH }, limit: 5000, most: 1024 }
    const long = await runProgram({ program: script('long', 'head -c 2000 /dev/zero'), ...wanted })
    expect(long).toMatchObject({ exit: null, cause: 'large', trouble: 'it printed more than 1 kB' })
    expect(long.stdout).toHaveLength(1024)
    const program = script('complains', 'head -c 2000 /dev/zero >&2; echo fine')
    expect(await runProgram({ program, ...wanted, stderr: 'ignore' })).toMatchObject({ exit: 0, stdout: 'fine\n' })
  })
})

/** A harness whose program is not what it should be. */
function impostor(program: string): Runnable {
  const harness = registry.byId('claude-code') as Harness
  return { harness, oracle: harness.oracle as NonNullable<Harness['oracle']>, program, limit: 500 }
}

describe('a harness that is not itself', () => {
  const place = createIsolatedProject({ '.claude/agents/a.md': '---\nname: a\ndescription: d\n---\nYou are a.\n' })
  afterAll(() => place.remove())

  test('missing', async () => {
    const real = impostor(join(folder, 'nowhere'))
    expect((await readProgramVersion(real, place)).version).toBeNull()
    expect(await askLoader(real, place)).toMatchObject({
      names: [],
      trouble: expect.stringContaining('could not be started'),
    })
  })

  test('of a version nobody knows', async () => {
    expect((await readProgramVersion(impostor(script('future', 'echo 99.0.1 beta')), place)).version).toBe('99.0.1')
    expect((await readProgramVersion(impostor(script('odd', 'echo hello')), place)).version).toBeNull()
  })

  test('printing rubbish', async () => {
    const real = impostor(script('rubbish', 'head -c 5000 /dev/urandom; echo "{not json"'))
    expect(await askLoader(real, place)).toMatchObject({ names: [], refused: false, trouble: null })
    expect((await runAsMain(real, place, ['a']))[0]).toMatchObject({
      request: null,
      trouble: expect.stringContaining('sent no request to the model'),
    })
  })

  test('hanging', async () => {
    const [turn] = await runAsChildren(impostor(script('asleep', 'sleep 60')), place, ['a'])
    expect(turn).toMatchObject({ request: null, trouble: expect.stringContaining('did not end') })
  })
})
