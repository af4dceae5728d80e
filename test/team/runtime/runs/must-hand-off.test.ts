/** Who must hand work on, and who has answered when it has spoken. */
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place, read } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const nudges = () => place.records().filter(({ t }) => t === 'nudged').length
/** A member that keeps what it was told. */
const keeping = (line: string) => `n=$(ls told.* 2>/dev/null | wc -l); cat > told.$n; ${line}`
const told = (number: number) => read(`${place.root}/told.${number}`)

test('a plain answer completes the work, also of one that may hand on', () => {
  place = openPlace({ 'ada > ben': 'echo the answer', ben: 'echo ok' })
  const { code, stdout } = place.troupe('start', 'ada', 'work')
  expect([code, stdout]).toEqual([0, 'the answer\n'])
  expect(nudges()).toBe(0)
  expect(place.state().attention).toEqual([])
})

test.each([
  ['its definition', 'handoff: required\n', '{}'],
  ['troupe.yaml', '', '{ handoff: required }'],
])('where %s says that it must, it is nudged once with its task, and then the person is told', (_, front, setting) => {
  place = openPlace({ 'ada > ben': null, ben: 'echo ok' })
  const head = `---\nname: ada\nrole: "Worker"\nhandoff_to: [ben]\n${front}---\nYou work.\n`
  place.put('.workplace/agents/ada.md', head)
  const command = JSON.stringify(keeping('echo thinking'))
  place.put('troupe.yaml', `work: { command: ${command}, members: { ada: ${setting} } }\n`)
  expect(place.troupe('start', 'ada', 'mend the gate').code).toBe(1)
  expect(nudges()).toBe(1)
  expect(place.state().attention).toMatchObject([{ kind: 'owes', from: 'ada' }])
  expect(told(0)).toContain('You must hand your work on when it is done.')
  expect(told(1)).toContain('Your last message was:\nthinking\n')
  expect(told(1)).toContain("What's needed:\nmend the gate\n")
})

test('a word that is neither required nor optional is told', () => {
  place = openPlace({ ada: 'echo x' })
  place.put('troupe.yaml', 'work: { command: cat, members: { ada: { handoff: always } } }\n')
  expect(place.troupe('check').stdout).toContain(
    'troupe.yaml: work.members.ada.handoff must be required or optional; optional is used.',
  )
})

test('the prompt says how chat.md is written to', () => {
  place = openPlace({ ada: 'cat' })
  const { stdout } = place.troupe('start', 'ada', 'work')
  expect(stdout.match(/.*chat\.md.*/g)).toEqual([
    '- All messages are in .workplace/chat.md. If you write there yourself, append one line, [ada-to-TARGET]: message, and never edit what is there.',
  ])
})
