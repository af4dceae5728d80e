/** Where the reading of chat.md goes on after somebody rotated, cut, saved or copied it: history never runs again. */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ChatScene, openChatScene, said } from './chat-scene.ts'

let scene: ChatScene
beforeEach(() => {
  scene = openChatScene()
})
afterEach(() => scene.close())

const put = (text: string) => writeFileSync(scene.chat, text)
const add = (...texts: string[]) => appendFileSync(scene.chat, said(...texts))
const text = () => readFileSync(scene.chat, 'utf8')
const at = (name: string) => join(scene.folder, name)
/** As vim and sed save: a new file under the old name. */
const save = (text: string) => {
  writeFileSync(at('saved'), text)
  renameSync(at('saved'), scene.chat)
}
const rotate = (name: string) => {
  renameSync(scene.chat, at(name))
  put('')
}
const copyAndCut = (name: string) => {
  copyFileSync(scene.chat, at(name))
  truncateSync(scene.chat, 0)
}
const heldLines = () => scene.held.map(({ file, lines }) => `${file}:${lines}`)

test('whole lines once, and half ones when they are whole', () => {
  put(`${said('one', 'two')}[user-to-ada]: thr`)
  expect(scene.read()).toEqual(['one', 'two'])
  appendFileSync(scene.chat, 'ee\n')
  expect(scene.read()).toEqual(['three'])
  scene.restart()
  expect(scene.read()).toEqual([])
})

test('the same text is another message wherever it is added', () => {
  put(said('go on', 'go on'))
  expect(scene.read()).toEqual(['go on', 'go on'])
  for (let times = 0; times < 3; times++) {
    add('go on')
    expect(scene.read()).toEqual(['go on'])
  }
  save(text() + said('go on'))
  expect(scene.read()).toEqual(['go on'])
})

const times = [
  ['and somebody reads on', () => {}],
  ['while nobody reads', () => scene.restart()],
] as const

describe.each(times)('rotated %s', (_when, then) => {
  test('what nobody had read lies under another name', () => {
    put(said('one'))
    scene.read()
    add('two')
    rotate('chat.1.md')
    add('three')
    then()
    expect(scene.read()).toEqual(['two', 'three'])
    then()
    expect(scene.read()).toEqual([])
  })

  test('several times, into the memory folder too', () => {
    put(said('one'))
    scene.read()
    add('two')
    mkdirSync(at('memory'))
    rotate('memory/chat-a.md')
    add('three')
    rotate('chat.md.2')
    add('four')
    then()
    expect(scene.read()).toEqual(['two', 'three', 'four'])
    then()
    expect(scene.read()).toEqual([])
    expect(scene.held).toEqual([])
  })

  test('and cut before', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    truncateSync(scene.chat, 0)
    add('four')
    rotate('chat.1.md')
    add('five')
    then()
    expect(scene.read()).toEqual(['four', 'five'])
  })

  test('a copy that somebody made is no part of the chat', () => {
    put(said('one'))
    scene.read()
    copyFileSync(scene.chat, at('chat-backup.md'))
    add('two')
    rotate('chat.1.md')
    then()
    expect(scene.read()).toEqual(['two'])
  })

  test('by a copy: what the copy has and nobody had read is not lost', () => {
    put(said('one'))
    scene.read()
    add('two')
    copyAndCut('chat.1.md')
    add('three')
    then()
    expect(scene.read()).toEqual(['two', 'three'])
    add('four')
    copyAndCut('chat.2.md')
    then()
    expect(scene.read()).toEqual(['four'])
    expect(scene.held).toEqual([])
  })

  test('by copies, several times', () => {
    put(said('one'))
    scene.read()
    add('two')
    copyAndCut('chat.1.md')
    add('three')
    copyAndCut('chat.2.md')
    add('four')
    then()
    expect(scene.read()).toEqual(['two', 'three', 'four'])
  })

  test('by a copy, and then by another name', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    copyAndCut('chat.1.md')
    then()
    scene.read()
    add('four')
    then()
    expect(scene.read()).toEqual(['four'])
    renameSync(scene.chat, at('chat.2.md'))
    then()
    expect(scene.read()).toEqual([])
    add('five')
    then()
    expect(scene.read()).toEqual(['five'])
  })

  test('by a copy, and then by another name, before anybody has read it', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    copyAndCut('chat.1.md')
    add('four')
    renameSync(scene.chat, at('chat.2.md'))
    then()
    expect(scene.read()).toEqual(['four'])
    add('five')
    expect(scene.read()).toEqual(['five'])
  })

  test('after it was saved with a change, before anybody has read it again', () => {
    put(said('one', 'two', 'three', 'four', 'five', 'six'))
    expect(scene.read()).toHaveLength(6)
    save(text().replace('one', 'one!'))
    add('seven')
    rotate('chat.1.md')
    add('eight')
    rotate('chat.2.md')
    add('nine')
    expect(scene.read()).toEqual(['seven', 'eight', 'nine'])
    expect(heldLines()).toEqual(['chat.1.md:1'])
    scene.restart()
    expect(scene.read()).toEqual([])
  })

  test('after it was saved with a change, in the middle of a line', () => {
    put(said('one', 'two', 'three', 'four', 'five', 'six'))
    expect(scene.read()).toHaveLength(6)
    save(`${text().replace('one', 'one!')}[user-to-ada]: sev`)
    rotate('chat.1.md')
    add('eight')
    expect(scene.read()).toEqual(['eight'])
    expect(heldLines()).toEqual(['chat.1.md:1', 'chat.1.md:7'])
  })

  test('and an archive that gets another name is no news', () => {
    put(said('one'))
    scene.read()
    rotate('chat.1.md')
    add('two')
    scene.read()
    renameSync(at('chat.1.md'), at('chat.2.md'))
    rotate('chat.1.md')
    add('three')
    then()
    expect(scene.read()).toEqual(['three'])
  })

  test('in the middle of a line, which is not run and not forgotten', () => {
    put(said('one'))
    scene.read()
    appendFileSync(scene.chat, '[user-to-ada]: tw')
    scene.read()
    rotate('chat.1.md')
    appendFileSync(scene.chat, `o\n${said('three')}`)
    then()
    expect(scene.read()).toEqual(['o', 'three'])
    expect(heldLines()).toEqual(['chat.1.md:2'])
  })
})

describe.each(times)('put back %s', (_when, then) => {
  const settle = () => {
    then()
    return scene.read()
  }

  test.each([
    ['by a copy', () => copyFileSync(at('chat.1.md'), scene.chat)],
    ['by a name', () => renameSync(at('chat.1.md'), scene.chat)],
    ['with the rest below it', () => put(readFileSync(at('chat.1.md'), 'utf8') + text())],
  ])('from an archive, %s', (_how, restore) => {
    put(said('one', 'two', 'three'))
    scene.read()
    rotate('chat.1.md')
    add('four', 'five', 'six')
    expect(scene.read()).toEqual(['four', 'five', 'six'])
    restore()
    expect(settle()).toEqual([])
    add('seven')
    expect(settle()).toEqual(['seven'])
  })

  test('into a file that was emptied long ago', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    copyAndCut('chat.1.md')
    expect(settle()).toEqual([])
    copyFileSync(at('chat.1.md'), scene.chat)
    expect(settle()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:1-3'])
    add('four')
    expect(settle()).toEqual(['four'])
  })

  test('to an older version and forth again', () => {
    const [older, newer] = [said('one', 'two'), said('one', 'two', 'three', 'four')]
    put(newer)
    scene.read()
    save(older)
    expect(settle()).toEqual([])
    save(newer)
    expect(settle()).toEqual([])
    add('five')
    expect(settle()).toEqual(['five'])
    save(older)
    expect(settle()).toEqual([])
    add('six')
    expect(settle()).toEqual(['six'])
  })

  test('slowly, by somebody who empties it first', () => {
    put(said('one', 'two', 'three', 'four'))
    scene.read()
    put('')
    expect(settle()).toEqual([])
    put(said('one', 'two'))
    expect(settle()).toEqual([])
    add('three', 'four')
    expect(settle()).toEqual([])
    add('five')
    expect(settle()).toEqual(['five'])
  })
})

describe.each(times)('saved by an editor %s', (_when, then) => {
  const settle = () => {
    then()
    return scene.read()
  }
  const many = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

  test.each([
    ['other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a mark at its beginning', (text: string) => `\ufeff${text}`],
    ['no line end at its end', (text: string) => text.slice(0, -1)],
    ['white space cut off', (text: string) => text.replace('eight', 'eight  ')],
    ['notes between the lines', (text: string) => text.replace(/^/gm, 'a note\n')],
  ])('with %s', (_what, change) => {
    put(said(...many))
    scene.read()
    save(change(text()))
    expect(settle()).toEqual([])
    expect(scene.held).toEqual([])
    save(`${text()}${text().endsWith('\n') ? '' : '\n'}${said('nine')}`)
    expect(settle().flatMap((line) => line.trim() || [])).toEqual(['nine'])
  })

  test.each([
    ['the first line', 'one', 'chat.md:1'],
    ['a line in the middle', 'four', 'chat.md:4'],
    ['the last line but one', 'seven', 'chat.md:7'],
    ['the last line', 'eight', 'chat.md:8'],
  ])('with %s changed: it is not run, and told of', (_which, word, lines) => {
    put(said(...many))
    scene.read()
    save(text().replace(word, `${word}!`))
    expect(settle()).toEqual([])
    expect(heldLines()).toEqual([lines])
    add('nine')
    expect(settle()).toEqual(['nine'])
    expect(heldLines()).toEqual([lines])
  })

  test('with lines changed, added in the middle, taken away and added at the end', () => {
    put(said(...many))
    scene.read()
    save(said('one', 'two!', 'new', 'five', 'six', 'seven', 'eight', 'nine'))
    expect(settle()).toEqual(['nine'])
    expect(heldLines()).toEqual(['chat.md:2-3'])
  })

  test('with its only line changed', () => {
    put(`# Chat\n\n${said('one')}`)
    scene.read()
    save(text().replace('one', 'ones'))
    expect(settle()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:3'])
    add('two')
    expect(settle()).toEqual(['two'])
  })

  test('with the last line changed and another one added: both may be parts of it', () => {
    put(said(...many))
    scene.read()
    save(text().replace('eight', 'eighty') + said('nine'))
    expect(settle()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:8-9'])
  })

  test('a line that was taken away and is written again is held: it may have been put back', () => {
    put(said(...many))
    scene.read()
    save(said(...many.slice(0, -1)))
    expect(settle()).toEqual([])
    add('eight')
    expect(settle()).toEqual([])
    expect(heldLines().at(-1)).toBe('chat.md:8')
  })

  test('an indented line of a message that was changed is not a message', () => {
    put(`${said(...many)}  and more\n`)
    scene.read()
    save(text().replace('and more', 'and much more') + said('nine'))
    expect(settle()).toEqual(['nine'])
  })
})

test('a file that is being saved is left alone until it rests', () => {
  put(said('one', 'two'))
  scene.read()
  put('')
  expect(scene.look(1000)).toEqual([])
  expect(scene.reader.isAtEnd).toBe(false)
  put(said('one', 'two', 'three'))
  expect(scene.read()).toEqual(['three'])
  expect(scene.reader.isAtEnd).toBe(true)
})

describe('after a while in peace, a save is waited for as if it were the first', () => {
  /** As `echo >` and many editors do it. */
  const saveInPlace = (text: string) => {
    put('')
    expect(scene.look(20)).toEqual([])
    expect(scene.look(20)).toEqual([])
    put(text)
    return scene.read()
  }
  const peace = () => {
    for (let seconds = 0; seconds < 5; seconds++) expect(scene.look(1000)).toEqual([])
  }

  test('when it was moved away and back before', () => {
    put(said('deploy'))
    scene.read()
    renameSync(scene.chat, at('chat.tmp.md'))
    scene.look(50)
    renameSync(at('chat.tmp.md'), scene.chat)
    peace()
    expect(saveInPlace(said('deploy', 'second'))).toEqual(['second'])
  })

  test('when an address was waited for', () => {
    put(`${said('deploy')}[user-to-ada]:\n`)
    expect(scene.look(1000)).toEqual(['deploy'])
    expect(scene.look(990)).toEqual([])
    expect(saveInPlace(said('deploy', 'second'))).toEqual(['second'])
  })

  test('when it was saved before', () => {
    put(said('deploy', 'one'))
    scene.read()
    put('')
    scene.look(50)
    put(said('deploy', 'one'))
    scene.look(50)
    peace()
    expect(saveInPlace(said('deploy', 'one', 'second'))).toEqual(['second'])
  })
})

test('a file that was away for a moment is none that was made anew', () => {
  put(said('deploy to staging'))
  scene.read()
  renameSync(scene.chat, at('chat.tmp.md'))
  scene.look(150)
  scene.look(150)
  renameSync(at('chat.tmp.md'), scene.chat)
  expect(scene.read()).toEqual([])
  put(said('deploy to staging, carefully'))
  expect(scene.read()).toEqual([])
  expect(heldLines()).toEqual(['chat.md:1'])
})

describe('cut', () => {
  test('to nothing, it begins anew; the same line is then another message', () => {
    put(said('one'))
    scene.read()
    const before = scene.cursor.generation
    truncateSync(scene.chat, 0)
    expect(scene.read()).toEqual([])
    expect(scene.reader.isAtEnd).toBe(true)
    add('one')
    expect(scene.read()).toEqual(['one'])
    expect(scene.cursor.generation).toBe(before + 1)
  })

  test('what agents say to people again and again does not make new lines old', () => {
    const note = '[ada-to-user]: done\n'
    put(said('one', 'two', 'three') + note)
    scene.read()
    put(note + said('four') + note)
    expect(scene.read()).toContain('four')
    appendFileSync(scene.chat, note + said('five'))
    expect(scene.read()).toContain('five')
    expect(scene.held).toEqual([])
  })

  test('nor does a line that somebody says again', () => {
    put(said('one', 'go on', 'two', 'three'))
    scene.read()
    put(said('four', 'five', 'go on', 'six'))
    expect(scene.read()).toEqual(['four', 'five', 'go on', 'six'])
  })

  test('and written to all the time, it is still read', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    truncateSync(scene.chat, 0)
    const found: string[] = []
    for (let number = 0; number < 40; number++) {
      add(`${number}`)
      found.push(...scene.look(100))
    }
    expect(found.slice(0, 5)).toEqual(['0', '1', '2', '3', '4'])
  })

  test('removed and made again', () => {
    put(said('one'))
    scene.read()
    rmSync(scene.chat)
    expect(scene.read()).toEqual([])
    put(said('two'))
    expect(scene.read()).toEqual(['two'])
    rmSync(scene.chat)
    put(said('three'))
    expect(scene.read()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:1'])
    add('four')
    expect(scene.read()).toEqual(['four'])
  })
})

describe('a line of megabytes', () => {
  const long = `[user-to-ada]: ${'x'.repeat(3 * 1024 * 1024)}`

  test('is passed over, and what follows is read', () => {
    put(`${long}\n${said('next')}`)
    expect(scene.read()).toEqual(['next'])
  })

  test('also where the reader is killed in the middle of it', () => {
    put(`${long}[user-to-ada]: not a line\n${said('next')}`)
    const batch = scene.reader.read(scene.cursor)
    scene.cursor = batch?.cursor ?? scene.cursor
    expect(batch?.overlong).toBe(true)
    scene.restart()
    expect(scene.read()).toEqual(['next'])
  })

  test('takes nothing with it when the file is cut meanwhile', () => {
    put(long)
    scene.read()
    put(said('next'))
    expect(scene.read()).toEqual(['next'])
  })
})

test('an address alone waits for its text', () => {
  put(`${said('one')}[user-to-ada]:\n`)
  expect(scene.look(100)).toEqual(['one'])
  expect(scene.look(100)).toEqual([])
  appendFileSync(scene.chat, '  the text\n')
  expect(scene.look()).toEqual(['[user-to-ada]:', '  the text'])
})

describe('the memory', () => {
  test('that was removed is made again from the file', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    rmSync(join(scene.folder, 'chat-lines'))
    scene.restart()
    expect(scene.read()).toEqual([])
    save(text().replace('one', 'ones') + said('four'))
    expect(scene.read()).toEqual(['four'])
  })

  test('that was removed while the file was changed: nothing runs', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    rmSync(join(scene.folder, 'chat-lines'))
    save(said('one', 'two', 'three!', 'four'))
    scene.restart()
    expect(scene.read()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:1-4'])
  })

  test('of what was never committed does not count', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    const before = scene.cursor
    add('four')
    expect(scene.read()).toEqual(['four'])
    scene.cursor = before
    scene.restart()
    save(`a note\n${text()}`)
    expect(scene.read()).toEqual(['four'])
  })
})

describe('what is said again is new', () => {
  const old = ['run the tests', 'one', 'two', 'three', 'four', 'five']
  const fresh = (count: number, word = 'new') => Array.from({ length: count }, (_none, number) => `${word} ${number}`)
  beforeEach(() => {
    put(said(...old))
    expect(scene.read()).toEqual(old)
  })

  test.each([
    ['as the only line', ['run the tests']],
    ['as the first of several', ['run the tests', ...fresh(5)]],
    ['between new ones', [...fresh(4), 'two', ...fresh(4, 'newer')]],
  ])('in the file after a rotation, %s', (_where, lines) => {
    rotate('chat.1.md')
    add(...lines)
    expect(scene.read()).toEqual(lines)
    expect(scene.held).toEqual([])
  })

  test('below an end that is in its place, although a line above it was changed', () => {
    const lines = [...fresh(5), 'two', ...fresh(4, 'newer')]
    save(text().replace('one', 'one!') + said(...lines))
    expect(scene.read()).toEqual(lines)
    expect(heldLines()).toEqual(['chat.md:2'])
  })

  test('also the last line that was read, below new ones', () => {
    save(`a note\n${text()}${said('build', 'deploy', 'tell me', 'five', 'more')}`)
    expect(scene.read()).toEqual(['build', 'deploy', 'tell me', 'five', 'more'])
    expect(scene.held).toEqual([])
  })

  test('below a last line that was changed', () => {
    save(text().replace('five', 'Five'))
    expect(scene.read()).toEqual([])
    const lines = [...fresh(1), 'two', ...fresh(9, 'newer')]
    add(...lines)
    expect(scene.read()).toEqual(lines)
    expect(heldLines()).toEqual(['chat.md:6'])
  })

  test('and where it is not, it does not take new ones with it', () => {
    save(text().replace('five', 'Five'))
    scene.read()
    add('one', 'new 0')
    expect(scene.read()).toEqual(['new 0'])
    expect(heldLines()).toEqual(['chat.md:6', 'chat.md:7'])
  })
})

describe('what is not sure to be said again is held', () => {
  test.each([
    ['right below the end', ['two', 'a', 'b', 'c', 'd']],
    ['two at once', ['a', 'b', 'c', 'd', 'one', 'two', 'e', 'f', 'g', 'h']],
    ['too many', ['a', 'one', 'b', 'two']],
  ])('below a change: %s', (_how, lines) => {
    put(said('one', 'two', 'three', 'four', 'five', 'six'))
    scene.read()
    save(text().replace('three', '3') + said(...lines))
    expect(scene.read()).toEqual([])
    const numbers = new Set(scene.held.flatMap(({ lines }) => numbersIn(lines)))
    expect([...numbers].sort((one, other) => one - other)).toEqual([3, ...lines.map((_line, index) => 7 + index)])
    add('seven')
    expect(scene.read()).toEqual(['seven'])
  })

  test.each(['chat.md~', 'chat.md.bak', 'chat.md.orig'])(
    'in a file that an editor saved, and keeps as %s',
    (backup) => {
      put(said('one', 'two', 'three'))
      scene.read()
      renameSync(scene.chat, at(backup))
      put(said('one'))
      expect(scene.read()).toEqual([])
      expect(heldLines()).toEqual(['chat.md:1'])
    },
  )

  test('with a new line beside it, in the file after a rotation: both are told', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    rotate('chat.1.md')
    add('one', 'new')
    expect(scene.read()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:2', 'chat.md:1'])
  })

  test('in a file that was removed and came back', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    rmSync(scene.chat)
    expect(scene.read()).toEqual([])
    put(said('one'))
    expect(scene.read()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:1'])
  })

  test('in a rotated file between, unless it is a copy of what was read', () => {
    put(said('one', 'two', 'three'))
    scene.read()
    scene.restart()
    copyFileSync(scene.chat, at('chat-copy.md'))
    rotate('chat.1.md')
    add('one')
    rotate('chat.2.md')
    add('next')
    expect(scene.read()).toEqual(['next'])
    expect(heldLines()).toEqual(['chat.2.md:1'])
    scene.restart()
    expect(scene.read()).toEqual([])
    expect(scene.held).toHaveLength(1)
  })
})

describe('whatever is held is told', () => {
  const noteTo = (number: number) => `[ada-to-user]: note ${number}\n`

  test('however many places it has', () => {
    put(said('one', 'two', 'three', 'four'))
    scene.read()
    const lines = Array.from({ length: 50 }, (_none, number) => `${said(`new ${number}`)}\n`).join('')
    save(text().replace('four', 'Four') + lines)
    expect(scene.read()).toEqual([])
    const told = new Set(scene.held.flatMap(({ lines }) => numbersIn(lines)))
    expect([...told]).toEqual([4, ...Array.from({ length: 50 }, (_none, number) => 5 + 2 * number), 1, 2, 3])
    expect(scene.held.length).toBeGreaterThan(2)
  })

  test('those first that nobody has read, also of what came into a file that was cut', () => {
    const all = Array.from({ length: 60 }, (_none, number) => `${number}`)
    put(said(...all))
    scene.read()
    put(said('0'))
    scene.read()
    scene.held.length = 0
    appendFileSync(
      scene.chat,
      all.map((text, number) => `${said(text)}${noteTo(number)}${said(`new ${text}`)}\n`).join(''),
    )
    expect(scene.read().filter((line) => /^\d|^new/.test(line))).toEqual([])
    const told = scene.held.map(({ lines }) => numbersIn(lines))
    const firstOld = told.findIndex((numbers) => numbers.includes(2))
    const unread = Array.from({ length: 60 }, (_none, number) => 4 + 4 * number)
    expect(told.slice(0, firstOld).flat()).toEqual(unread)
    expect(new Set(told.flat()).size).toBe(120)
  })
})

describe('lines to people', () => {
  const ask = '[ada-to-user]: may I drop the table?\n'
  const done = '[ada-to-user]: done\n'
  const many = ['one', 'two', 'three', 'four', 'five']

  test('below the end are read, although a line above it was changed', () => {
    put(said(...many) + done)
    scene.read()
    save(text().replace('two', '2') + done + ask + said('six'))
    expect(scene.read()).toEqual([done.trim(), ask.trim(), 'six'])
    expect(heldLines()).toEqual(['chat.md:2'])
    save(text().replace('three', '3'))
    expect(scene.read()).toEqual([])
  })

  test('below more of them than can be remembered', () => {
    const notes = Array.from({ length: 40 }, (_none, number) => `[ada-to-user]: note ${number}\n`).join('')
    put(said(...many) + notes)
    scene.read()
    save(text().replace('two', '2') + ask)
    expect(scene.read()).toEqual([ask.trim()])
  })

  test('are read among lines that are held', () => {
    put(said(...many))
    scene.read()
    save(text().replace('three', '3') + said('one', 'two') + ask)
    expect(scene.read()).toEqual([ask.trim()])
    expect(heldLines()).toEqual(['chat.md:3', 'chat.md:6-7'])
    put(said('one'))
    scene.read()
    appendFileSync(scene.chat, said('two', 'three') + ask)
    expect(scene.read()).toEqual([ask.trim()])
  })

  test('are told of where the end was changed', () => {
    put(said(...many) + done)
    scene.read()
    save(text().replace('five', '5') + ask)
    expect(scene.read()).toEqual([])
    expect(heldLines()).toEqual(['chat.md:5,7'])
  })

  test('are read in a rotated file that has nothing else', () => {
    put(said(...many))
    scene.read()
    rotate('chat.1.md')
    appendFileSync(scene.chat, ask)
    rotate('chat.2.md')
    add('six')
    expect(scene.read()).toEqual([ask.trim(), 'six'])
  })
})

describe('rotated files', () => {
  const old = ['one', 'two', 'three', 'four']

  test('made after the clock was set back are read', () => {
    put(said(...old))
    scene.read()
    scene.cursor = { ...scene.cursor, rotated: Date.now() + 3_600_000 }
    add('five')
    copyAndCut('chat.7.md')
    add('six')
    expect(scene.read()).toEqual(['five', 'six'])
    scene.restart()
    expect(scene.read()).toEqual([])
  })

  test('of long ago that somebody brings along are not', () => {
    put(said(...old))
    scene.read()
    rotate('chat.1.md')
    add('five')
    scene.read()
    writeFileSync(at('chat-old.md'), said('ancient'))
    scene.cursor = { ...scene.cursor, rotated: Date.now() + 3 * 86_400_000 }
    rotate('chat.2.md')
    add('six')
    expect(scene.read()).toEqual(['six'])
  })

  test.each(times)('that a program still has open are read, %s', (_when, then) => {
    put(said(...old))
    scene.read()
    const writer = openSync(scene.chat, 'a')
    rotate('chat.1.md')
    add('five')
    expect(scene.read()).toEqual(['five'])
    then()
    writeSync(writer, said('stop the deployment').slice(0, 9))
    expect(scene.read()).toEqual([])
    writeSync(writer, said('stop the deployment').slice(9))
    expect(scene.read()).toEqual(['stop the deployment'])
    then()
    expect(scene.read()).toEqual([])
    rotate('chat.2.md')
    add('six')
    expect(scene.read()).toEqual(['six'])
    then()
    writeSync(writer, said('really'))
    expect(scene.read()).toEqual(['really'])
    expect(scene.held).toEqual([])
    closeSync(writer)
  })

  test('that somebody changes afterwards are history', () => {
    put(said(...old))
    scene.read()
    rotate('chat.1.md')
    add('five')
    scene.read()
    writeFileSync(at('chat.1.md'), said('one', 'two', 'three', '4', 'more'))
    expect(scene.read()).toEqual([])
  })

  test('to which the step could not be journalled are read again from where they were', () => {
    put(said(...old))
    scene.read()
    add('five')
    rotate('chat.1.md')
    add('mid')
    rotate('chat.2.md')
    add('six')
    const found: string[] = []
    // The journal is full at every first step to something, and has room again later.
    const tried = new Set<number>()
    for (let step = 0; step < 40; step++) {
      const before = scene.cursor
      const batch = scene.look(300)
      if (scene.cursor !== before && tried.size < tried.add(scene.cursor.inode).size) scene.cursor = before
      else found.push(...batch)
    }
    expect(tried.size).toBeGreaterThan(1)
    expect(found).toEqual(['five', 'mid', 'six'])
    expect(scene.held).toEqual([])
  })
})

test.each([
  ['without it', '', ['chat.1.md:4']],
  ['with it', '[user-to-ada]: fo', []],
])('half a line in a rotated file is told where the file is put back %s', (_how, half, told) => {
  put(`${said('one', 'two', 'three')}[user-to-ada]: fo`)
  scene.read()
  renameSync(scene.chat, at('chat.1.md'))
  put(said('one', 'two', 'three') + half)
  expect(scene.read()).toEqual([])
  expect(heldLines()).toEqual(told)
})

test('a step to a new file that could not be journalled is made again as the same step', () => {
  put(said('one', 'two', 'three', 'four'))
  scene.read()
  copyAndCut('chat.1.md')
  scene.read()
  add('five')
  scene.read()
  rotate('chat.2.md')
  add('six', 'seven')
  const before = scene.cursor
  for (let times = 0; times < 10 && scene.cursor === before; times++) scene.look(100)
  expect(scene.cursor).not.toBe(before)
  scene.cursor = before
  expect(scene.read()).toEqual(['six', 'seven'])
  expect(scene.held).toEqual([])
})

function numbersIn(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_none, index) => from + index)
  })
}
