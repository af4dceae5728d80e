/** `troupe work status --watch` in a real terminal, before a workplace that lives. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { displayWidth } from '../../../src/report/layout.ts'
import { openPlace, type Place, until } from '../../team/new-workplace.ts'
import { openTerminal, type RealTerminal, type TerminalSize } from './terminal.ts'

const usual = { columns: 80, rows: 24 }
const small = { columns: 50, rows: 12 }
let place: Place
let terminal: RealTerminal
afterEach(() => {
  terminal.close()
  place.close()
})

/** A question in the inbox, as members in harnesses put it there; then it waits for the answer. */
const asking = `
box=$TROUPE_WORKPLACE/.workplace/run/inbox
printf '{"kind":"question","id":"q%s","run":"%s","agent":"%s","text":"to use bash: make %s","until":9999999999999}' \\
  $TROUPE_AGENT $TROUPE_RUN $TROUPE_AGENT $TROUPE_AGENT > $box/.draft-$TROUPE_AGENT
mv $box/.draft-$TROUPE_AGENT $box/q$TROUPE_AGENT
troupe --quiet work report progress "waiting for leave"
sleep 300`

function watch(size: TerminalSize = usual, environment: Record<string, string> = {}): RealTerminal {
  const words = [process.execPath, resolve('dist/cli.cjs'), '-C', place.root, 'work', 'status', '--watch']
  return openTerminal(words, size, environment)
}

const byPerson = () =>
  place.records().flatMap((record) => (record.t === 'answered' ? [[record.id, record.yes, record.by]] : []))

describe('a workplace that lives', () => {
  afterEach(() => void place.troupe('stop'))
  beforeEach(async () => {
    place = openPlace({
      ada: asking,
      ben: asking,
      cleo: 'test "$TROUPE_ATTEMPT" -gt 2 || exit 9; echo fine',
      dora: 'sleep 300',
    })
    place.inBackground('resume', '--stay')
    for (const [index, name] of ['cleo', 'ada', 'ben'].entries()) {
      place.troupe('send', 'user', name, `a task for ${name}`)
      await until(() => place.state().attention.length === index + 1)
    }
    place.troupe('send', 'user', 'dora', 'a task for dora')
  })

  test('is watched, answered and revived by keys, through every size', async () => {
    terminal = watch()
    await terminal.shows('Needs you (3)')
    await terminal.shows(/> \? ben +asks +to use bash: make ben/)
    await terminal.shows(/ada +working +\d+ s {2}a task for ada {2}waiting for leave/)
    expect(terminal.isOtherScreen()).toBe(true)
    expect(terminal.lines().at(-1)).toContain('q quit')

    terminal.resize(small)
    await terminal.shows(/test {2}running {2}3 for you/)
    await terminal.shows('more below, j/k to scroll')
    expect(terminal.lines()).toHaveLength(12)
    for (const line of terminal.lines()) expect(displayWidth(line)).toBeLessThanOrEqual(50)
    expect(terminal.lines().at(-1)).toContain('q quit')

    terminal.press('j')
    await terminal.shows(/> \? ada/)
    terminal.press('y')
    await terminal.shows('Answered ada with yes.')
    await until(() => byPerson().length === 1)
    expect(byPerson()).toEqual([['qada', true, 'person']])
    await terminal.shows('2 for you')

    terminal.resize({ columns: 120, rows: 40 })
    await terminal.shows('Needs you (2)')
    // Nothing is selected, until the person says what.
    terminal.press('n')
    await terminal.shows('Select a question first')
    expect(byPerson()).toHaveLength(1)
    terminal.press('\u001b[A')
    await terminal.shows(/> \? ben/)
    terminal.press('n')
    await terminal.shows('Answered ben with no.')
    await until(() => byPerson().length === 2)
    expect(byPerson()[1]).toEqual(['qben', false, 'person'])

    await terminal.shows('Needs you (1)')
    terminal.press('j')
    await terminal.shows(/> ✗ cleo +dead letter +after 2 attempts: it ended with exit code 9/)
    terminal.press('\r')
    await terminal.shows(/Cause +after 2 attempts/)
    terminal.press('r')
    await terminal.shows('The dead letter of cleo gets new attempts.')
    await until(() =>
      [...place.state().handoffs.values()].some(({ to, status }) => to === 'cleo' && status === 'completed'),
    )
    await terminal.shows('Nothing needs your attention.')

    terminal.press('q')
    const { code, settings } = await terminal.ended
    expect(code).toBe(0)
    expect(terminal.isOtherScreen()).toBe(false)
    expect(settings).toMatch(/(?<!-)icanon/)
    expect(terminal.sent().lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.sent().lastIndexOf('\u001b[?25l'))
    expect(place.state().open.size).toBe(3)
  })
})

describe('the terminal', () => {
  beforeEach(() => {
    place = openPlace({ ada: 'echo fine', ben: 'exit 9' })
    place.troupe('start', 'ada', 'one')
    place.troupe('start', 'ada', 'two')
    place.troupe('start', 'ben', 'three')
  })

  const restored = async (code: number) => {
    const end = await terminal.ended
    expect(end.code).toBe(code)
    expect(end.settings).toMatch(/(?<!-)icanon/)
    expect(end.settings).toMatch(/(?<!-)echo /)
    expect(terminal.isOtherScreen()).toBe(false)
    const leave = terminal.sent().lastIndexOf('\u001b[?7h\u001b[?25h\u001b[?1049l')
    expect(terminal.sent().slice(leave)).not.toMatch(/\u001b\[\?(25l|1049h|7l)/)
    expect(leave).toBeGreaterThan(0)
  }

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('is as it was after %s', async (signal, code) => {
    terminal = watch()
    await terminal.shows('q quit')
    process.kill(terminal.pid(), signal)
    await restored(code)
  })

  test('is as it was after Ctrl-C', async () => {
    terminal = watch()
    await terminal.shows('q quit')
    terminal.press('\u0003')
    await restored(130)
  })

  test('is as it was after an exception', async () => {
    const trap = join(place.root, 'trap.cjs')
    writeFileSync(trap, 'process.on("SIGUSR2", () => { throw new Error("a defect") })\n')
    terminal = watch(usual, { NODE_OPTIONS: `--require ${trap}` })
    await terminal.shows('q quit')
    process.kill(terminal.pid(), 'SIGUSR2')
    await restored(1)
    expect(terminal.text()).toContain('a defect')
  })

  test('gets only the lines that changed', async () => {
    terminal = watch()
    await terminal.shows(/> ✗ ben/)
    const before = terminal.sent().length
    terminal.press('x')
    terminal.press('j')
    await terminal.shows(/> ben +dead letter/)
    const places = [
      ...terminal
        .sent()
        .slice(before)
        .matchAll(/\u001b\[(\d+);1H/g),
    ]
    expect(places.length).toBeLessThanOrEqual(3)
    expect(terminal.sent().slice(before)).not.toContain('\u001b[2J')
  })

  test('has no colours where NO_COLOR says so', async () => {
    terminal = watch(usual, { NO_COLOR: '1' })
    await terminal.shows(/> ✗ ben/)
    expect(terminal.sent()).not.toMatch(/\u001b\[[\d;]*m/)
  })

  test('gets plain lines where it cannot be drawn on', async () => {
    terminal = watch(usual, { TERM: 'dumb' })
    await terminal.shows('Needs you (1)')
    place.troupe('start', 'ada', 'one more')
    await terminal.shows(/user → ada {2}one more/)
    expect(terminal.sent()).not.toContain('\u001b')
    terminal.press('\u0003')
    expect(await terminal.ended).toMatchObject({ code: 130 })
  })
})
