/** Draws histories of a chat.md, does them to a real file, and knows by itself which line was written when. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ChatScene, openChatScene } from './chat-scene.ts'

/** A line that somebody added. */
interface Written {
  readonly text: string
  /** `must`: it runs. `may`: it runs or is shown, once. `never`: it was put where lines had been read. `gone`: cut away unread. */
  fate: 'must' | 'may' | 'never' | 'gone'
  isRead: boolean
}

export interface Outcome {
  readonly operations: readonly string[]
  readonly problems: readonly string[]
  readonly lines: number
  readonly held: number
}

/** `next`: a number below 1, as chance has it. */
export function playChatHistory(next: () => number, length: number): Outcome {
  const model = new ChatModel(next)
  try {
    for (let step = 0; step < length && model.problems.length === 0; step++) model.step()
    model.finish()
    return model.outcome()
  } finally {
    model.close()
  }
}

class ChatModel {
  readonly #next: () => number
  readonly #scene: ChatScene = openChatScene()
  readonly #operations: string[] = []
  readonly problems: string[] = []
  readonly #all = new Map<string, Written>()
  readonly #runs = new Map<string, number>()
  readonly #shown = new Set<string>()
  #heldSeen = 0
  /** The lines of chat.md, and of each rotated file. */
  #chat: Written[] = []
  readonly #archives: { readonly name: string; readonly lines: readonly Written[] }[] = []
  /** Somebody changed what had been read, and nobody has looked since. */
  #isDisturbed = false
  /** It was cut without a copy, and nobody has looked since. */
  #isCut = false
  /** How many lines the file had when it was last looked at in peace. */
  #known = 0
  #count = 0
  #half: { readonly line: Written; readonly rest: string } | null = null

  constructor(next: () => number) {
    this.#next = next
    this.settle()
  }

  step(): void {
    const operations: readonly (readonly [number, () => void])[] = [
      [30, () => this.#append(1 + this.#below(3))],
      [12, () => this.#writeHalf()],
      [25, () => this.#look()],
      [10, () => this.settle()],
      [8, () => this.#restart()],
      [6, () => this.#crash()],
      [7, () => this.#rename()],
      [7, () => this.#copyAndCut()],
      [3, () => this.#cut()],
      [6, () => this.#edit()],
      [3, () => this.#restore()],
      [2, () => this.#convert()],
    ]
    let at = this.#next() * operations.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, operation] of operations) {
      at -= weight
      if (at < 0) {
        operation()
        return
      }
    }
  }

  /** There is a chat.md again, and all of it is read. */
  finish(): void {
    appendFileSync(this.#scene.chat, '')
    this.settle()
  }

  outcome(): Outcome {
    for (const { text, fate, isRead } of this.#all.values()) {
      const runs = this.#runs.get(text) ?? 0
      if (fate === 'must' && runs !== 1) this.problems.push(`${text} ran ${runs} times`)
      if (fate === 'may' && isRead && runs === 0 && !this.#shown.has(text))
        this.problems.push(`${text} was lost in silence`)
    }
    return {
      operations: this.#operations,
      problems: this.problems,
      lines: this.#all.size,
      held: this.#shown.size,
    }
  }

  close(): void {
    this.#scene.close()
  }

  /** Everybody rests: all that is there is read. */
  settle(): void {
    this.#operations.push('settle')
    this.#endHalf()
    this.#take(this.#scene.read())
    for (const line of this.#chat) line.isRead = true
    for (const { lines } of this.#archives) for (const line of lines) line.isRead = true
    if (!existsSync(this.#scene.chat)) return
    this.#isDisturbed = false
    this.#isCut = false
    this.#known = this.#chat.length
  }

  #look(): void {
    this.#operations.push('look')
    this.#take(this.#scene.look(this.#below(400)))
  }

  #restart(): void {
    this.#operations.push('restart')
    this.#scene.restart()
  }

  /** Killed between reading and writing down: neither has happened. */
  #crash(): void {
    this.#operations.push('crash')
    this.#scene.reader.read(this.#scene.cursor)
    this.#scene.restart()
  }

  #append(count: number): void {
    this.#endHalf()
    for (let added = 0; added < count; added++) {
      const line = this.#write()
      appendFileSync(this.#scene.chat, lineOf(line))
    }
  }

  #writeHalf(): void {
    this.#endHalf()
    const line = this.#write()
    const text = lineOf(line)
    const at = 1 + this.#below(text.length - 1)
    appendFileSync(this.#scene.chat, text.slice(0, at))
    this.#half = { line, rest: text.slice(at) }
  }

  #endHalf(): void {
    if (this.#half === null) return
    appendFileSync(this.#scene.chat, this.#half.rest)
    this.#half = null
  }

  /** Half a line is in a file that gets another name, or is cut: its other half comes to the new one. */
  #tearHalf(): void {
    if (this.#half !== null) this.#half.line.fate = this.#half.rest.length === 1 ? 'may' : 'gone'
  }

  #rename(): void {
    if (!existsSync(this.#scene.chat)) return
    this.#tearHalf()
    const name = this.#archiveName()
    this.#operations.push(`rename to ${name}`)
    renameSync(this.#scene.chat, join(this.#scene.folder, name))
    this.#known = 0
    if (this.#next() < 0.8) writeFileSync(this.#scene.chat, '')
    this.#archives.push({ name, lines: this.#chat })
    this.#chat = []
    this.#half = null
  }

  #copyAndCut(): void {
    if (!existsSync(this.#scene.chat)) return
    this.#tearHalf()
    const name = this.#archiveName()
    this.#operations.push(`copy to ${name} and cut`)
    copyFileSync(this.#scene.chat, join(this.#scene.folder, name))
    truncateSync(this.#scene.chat, 0)
    this.#known = 0
    // Nothing says of a file that was empty whether its copy is one.
    if (this.#isCut || this.#chat.every(({ isRead }) => !isRead)) this.#doubt()
    this.#archives.push({ name, lines: this.#chat })
    this.#chat = []
    this.#half = null
  }

  #cut(): void {
    if (!existsSync(this.#scene.chat)) return
    this.#operations.push('cut')
    truncateSync(this.#scene.chat, 0)
    for (const line of this.#chat) if (!line.isRead) line.fate = 'gone'
    this.#chat = []
    this.#half = null
    this.#isDisturbed ||= this.#known <= 2
    this.#known = 0
    this.#isCut = true
  }

  /** Changes, adds or removes a line above the end, as an editor does. */
  #edit(): void {
    if (this.#chat.length === 0 || this.#half !== null) return
    this.settle()
    const at = this.#below(this.#chat.length)
    const kind = ['change', 'insert', 'remove'][this.#below(3)]
    this.#operations.push(`${kind} line ${at + 1}`)
    const line: Written = { text: `edited ${this.#count++}.`, fate: 'never', isRead: false }
    this.#all.set(line.text, line)
    this.#chat = this.#chat.toSpliced(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [line]))
    this.#save(this.#chat.map(lineOf).join(''))
  }

  #restore(): void {
    const archive = this.#archives[this.#below(this.#archives.length)]
    if (archive === undefined || this.#half !== null) return
    const text = readFileSync(join(this.#scene.folder, archive.name), 'utf8')
    // A single line in an emptied file is new, whatever it says.
    if (text.split('\n').length < 3) return
    this.settle()
    this.#operations.push(`restore ${archive.name}`)
    this.#chat = archive.lines.filter(({ fate }) => fate !== 'gone')
    this.#save(text.slice(0, text.lastIndexOf('\n') + 1))
  }

  /** Other line ends. */
  #convert(): void {
    if (this.#chat.length === 0 || this.#half !== null) return
    this.settle()
    this.#operations.push('convert')
    const text = readFileSync(this.#scene.chat, 'utf8')
    const isDos = text.includes('\r')
    this.#save(isDos ? text.replaceAll('\r', '') : text.replaceAll('\n', '\r\n'))
  }

  #save(text: string): void {
    if (this.#next() < 0.5) writeFileSync(this.#scene.chat, text)
    else {
      writeFileSync(join(this.#scene.folder, 'saved'), text)
      renameSync(join(this.#scene.folder, 'saved'), this.#scene.chat)
    }
    this.#isDisturbed = true
    if (this.#next() < 0.7) this.settle()
  }

  #doubt(): void {
    for (const line of this.#chat) if (!line.isRead && line.fate === 'must') line.fate = 'may'
  }

  #write(): Written {
    const line: Written = { text: `line ${this.#count++}.`, fate: this.#isDisturbed ? 'may' : 'must', isRead: false }
    this.#operations.push(`append ${line.text}`)
    this.#all.set(line.text, line)
    this.#chat.push(line)
    return line
  }

  #take(texts: readonly string[]): void {
    for (const raw of texts) {
      const text = raw.trimEnd()
      const line = this.#all.get(text)
      if (line === undefined) continue
      const runs = (this.#runs.get(text) ?? 0) + 1
      this.#runs.set(text, runs)
      if (runs > 1) this.problems.push(`${text} ran ${runs} times`)
      if (line.fate === 'never') this.problems.push(`${text} ran, and was put where lines had been read`)
    }
    for (const { file, lines } of this.#scene.held.slice(this.#heldSeen)) this.#show(file, lines)
    this.#heldSeen = this.#scene.held.length
  }

  #show(file: string, ranges: string): void {
    const lines = readFileSync(join(this.#scene.folder, file), 'utf8').split('\n')
    for (const range of ranges.split(',')) {
      const [from = 0, to = from] = range.split('-').map(Number)
      for (const line of lines.slice(from - 1, to)) this.#shown.add(line.trimEnd().replace('[user-to-ada]: ', ''))
    }
  }

  #archiveName(): string {
    return `chat.${this.#archives.length + 1}.md`
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }
}

function lineOf({ text }: Written): string {
  return `[user-to-ada]: ${text}\n`
}
