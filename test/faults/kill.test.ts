/** `kill -9` at every moment of a run: every file is old or new, running again finishes, undoing takes it back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram, type Program } from './program.ts'
import { copyOf, leftovers, liesOfLock, newRoot, open, removeRoot, removeRoots, snapshot, undone } from './stage.ts'
import { change, contentOf, endsOfChange, prepare, writeMany } from './work.ts'

let program: Program

beforeAll(async () => {
  program = await buildProgram()
})
afterAll(() => {
  program.remove()
  removeRoots()
})

/** Tries one moment after the other until there are no more; a few at a time, because starting processes takes long. */
async function atEveryMoment(one: (root: string, at: number) => Promise<boolean>): Promise<number> {
  let next = 0
  let end = Number.POSITIVE_INFINITY
  const work = async () => {
    while (next < end) {
      const at = next++
      const root = newRoot()
      prepare(root)
      if (!(await one(root, at))) end = Math.min(end, at)
      removeRoot(root)
    }
  }
  await Promise.all([work(), work(), work()])
  return end
}

describe('a run that dies at every change of the disk', () => {
  test.each([
    ['before it', 'kill', 35],
    ['in the middle of writing', 'tear', 10],
  ] as const)('%s', async (_title, fault, least) => {
    const { before, after } = endsOfChange()
    const moments = await atEveryMoment(async (root, at) => {
      const { signal, code, stderr } = await program.start('change', root, fault, String(at)).ended
      if (signal === null) {
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        return false
      }
      for (const [path, what] of Object.entries(snapshot(root))) {
        expect([before[path], after[path]], `${path} after ${at}`).toContain(what)
      }
      const other = copyOf(root)
      undone(root)
      expect(snapshot(root), `undone after ${at}`).toEqual(before)
      expect(undone(root)).toBeNull()
      expect(change(other).size).toBe(0)
      expect(snapshot(other), `finished after ${at}`).toEqual(after)
      expect(liesOfLock(other)).toEqual([])
      expect(leftovers(other)).toEqual([])
      undone(other)
      expect(snapshot(other), `finished and undone after ${at}`).toEqual(before)
      removeRoot(other)
      return true
    })
    expect(moments).toBeGreaterThan(least)
  })

  test('again and again, at any time, with many files', async () => {
    const root = newRoot()
    await writeMany(root, 700, 'old')
    const before = snapshot(root)
    const moments = [100, 200, 400, 700, 800, 900, 1000, 1100]
    const words = ['old', ...moments.map((moment) => `word${moment}`)]
    for (const moment of moments) {
      const { child, said, ended } = program.start('many', root, '3000', `word${moment}`)
      await said(`${moment} files`)
      child.kill('SIGKILL')
      expect((await ended).signal).toBe('SIGKILL')
      for (const [path, what] of Object.entries(snapshot(root))) {
        const number = /agent-(\d+)\.md$/.exec(path)?.[1]
        const isWhole = words.some((word) => what === `644 ${contentOf(Number(number), word)}`)
        expect(number === undefined || isWhole, path).toBe(true)
      }
    }
    const run = open(root)
    expect(run.continues).toBe('convert')
    run.commit()
    expect(liesOfLock(root)).toEqual([])
    expect(Object.keys(snapshot(root)).length).toBeGreaterThan(Object.keys(before).length)
    undone(root)
    expect(snapshot(root)).toEqual(before)
    removeRoot(root)
  })
})

describe('a run that dies at every change of the disk, after one that ended well', () => {
  test('never takes half of what can be undone with it', async () => {
    const { before, after } = endsOfChange()
    const moments = await atEveryMoment(async (root, at) => {
      change(root)
      const { signal } = await program.start('edit', root, 'kill', String(at)).ended
      expect(Object.values(undone(root) ?? {})).not.toContain('failed')
      expect([before, after], `after ${at}`).toContainEqual(snapshot(root))
      return signal !== null
    })
    expect(moments).toBeGreaterThan(10)
  })
})

describe('an undo that dies at every change of the disk', () => {
  test('is finished by the next one', async () => {
    const { before } = endsOfChange()
    const moments = await atEveryMoment(async (root, at) => {
      change(root)
      const { signal } = await program.start('undo', root, 'kill', String(at)).ended
      undone(root)
      expect(snapshot(root), `after ${at}`).toEqual(before)
      return signal !== null
    })
    expect(moments).toBeGreaterThan(30)
  })
})
