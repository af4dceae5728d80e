/** Who said something, in a few words. */
import type { Origin } from '../model/effective.ts'
import { oneLine } from './layout.ts'

export function originText({ from, path, line }: Origin, title: string): string {
  switch (from) {
    case 'file':
      return `${oneLine(path ?? '')}${line === null ? '' : `:${line}`}`
    case 'variable':
      return `$${oneLine(path ?? '')}`
    case 'built-in':
      return `built into ${title}`
    case 'default':
      return `default of ${title}`
  }
}
