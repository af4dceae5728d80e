/** What the commands of `work` begin with: the workplace around the folder, or a sentence that there is none. */
import { reason } from '../../project/files.ts'
import { wrapped } from '../../report/paper.ts'
import { NoWorkplace, requireWorkplace } from '../../runtime/open.ts'
import type { Places } from '../../runtime/places.ts'
import { type CommandInput, exit, type Terminal, UsageError } from '../command.ts'

/** Agents call from anywhere: their environment says where they belong. */
export function workplaceOf({ here, options }: CommandInput): Places {
  const own = process.env.TROUPE_WORKPLACE
  const isHere = Array.isArray(options.directory) && options.directory.length > 0
  return requireWorkplace(own !== undefined && own !== '' && !isHere ? own : here)
}

/** That there is no workplace, or none that can be read, is for whoever called. */
export async function asUsage<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NoWorkplace) throw new UsageError(error.message, error.hint)
    throw error
  }
}

/** Runs what touches the disk of a workplace; one that is full or closed to us is a sentence, not a defect. */
export async function withDisk(input: CommandInput, work: () => Promise<number> | number): Promise<number> {
  try {
    return await asUsage(work)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    const known = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR']
    if (code === undefined || !known.includes(code)) throw error
    const why =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full'
        : code === 'EROFS'
          ? 'the disk is read-only'
          : reason(error)
    input.terminal.tell(`troupe: ${path ?? 'the workplace'} cannot be written: ${why}.\n`)
    return exit.failed
  }
}

/** For people, beside the result: agents and files must not draw on the terminal. */
export function say(terminal: Terminal, texts: readonly string[]): void {
  for (const text of texts) {
    const indent = /^ */.exec(text)?.[0].length ?? 0
    for (const line of wrapped(terminal, text, indent)) terminal.tell(`${line}\n`)
  }
}

/** Comma-separated words. */
export function listOf(value: unknown): string[] {
  return typeof value === 'string'
    ? value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
    : []
}

/** Resolves at the first Ctrl-C; the second one ends the program as usual. */
export function interruption(): { readonly heard: Promise<void>; readonly forget: () => void } {
  let forget = () => {}
  const heard = new Promise<void>((resolve) => {
    const listen = () => {
      forget()
      resolve()
    }
    forget = () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeListener(signal, listen)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listen)
  })
  return { heard, forget: () => forget() }
}
