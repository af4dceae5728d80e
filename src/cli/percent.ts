/** A threshold on the command line. */
import { type OptionValue, UsageError } from './command.ts'

/** The value of `--fail-below`; null where it is not given. */
export function percentOf(value: OptionValue): number | null {
  if (value === undefined) return null
  const text = String(value)
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0 && number <= 100))
    throw new UsageError(`--fail-below takes a number from 0 to 100, not "${text}".`)
  return number
}
