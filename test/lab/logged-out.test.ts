/** A harness without a login and without a key: one attempt, and a sentence that says what to do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type House, openHouse } from './workplace.ts'

let house: House
afterEach(() => house?.close())

const agent = '---\nname: ada\nrole: "Worker"\n---\nYou work.\n'
// Codex and OpenCode ask their servers first, which cannot be reached from here; Qwen Code is another agent without tools.
const seen = ['claude-code', 'copilot', 'gemini-cli']
const keys = Object.keys(process.env).filter((name) => /(KEY|TOKEN)$/.test(name))
const none = Object.fromEntries(keys.map((key) => [key, '']))

test.each(seen)('%s', { timeout: 180_000 }, async (id) => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-home-'))
  house = await openHouse({ '.workplace/agents/ada.md': agent, 'troupe.yaml': `work: { harness: ${id} }\n` }, [])
  try {
    const { code } = await house.run(['work', 'start', 'ada', 'say hello'], { ...none, HOME: home, TROUPE_MODEL: '' })
    expect(code).toBe(1)
    const failed = house.records().flatMap((record) => (record.t === 'failed' ? [record.why] : []))
    expect(failed).toHaveLength(1)
    expect(failed[0]).toContain('has no login and no key')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
