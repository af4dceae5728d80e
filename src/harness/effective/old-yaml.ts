/** What YAML 1.1 reads plain words as, where YAML 1.2 reads something else: days are times, `010` is eight. */
import type { DataNode, ScalarValue } from '../../text/tree.ts'

export function asOldYaml(text: string, node: DataNode): DataNode {
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => asOldYaml(text, item)) }
  if (node.kind === 'map') {
    return { ...node, entries: node.entries.map((one) => ({ ...one, value: asOldYaml(text, one.value) })) }
  }
  return { ...node, value: oldValue(text.slice(node.range.start, node.range.end)) ?? node.value }
}

const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^(\d{4}-\d\d?-\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(\.\d*)?(?:[ \t]*(Z|[-+]\d\d?(?::?\d\d)?))?$/

/** Undefined where both read the same. */
function oldValue(plain: string): ScalarValue | undefined {
  if (DAY.test(plain)) return instant(`${plain}T00:00:00Z`)
  if (TIME.test(plain)) return instant(plain.replace(' ', 'T'))
  const [, sign = '', digits = ''] = /^([-+]?)([0-9][0-9a-fA-Fxb_:]*)$/.exec(plain) ?? []
  const value = wholeNumber(digits.replaceAll('_', ''))
  return value === undefined || Number.isNaN(value) ? undefined : sign === '-' ? -value : value
}

function wholeNumber(digits: string): number | undefined {
  if (/^0b[01]+$/.test(digits)) return Number.parseInt(digits.slice(2), 2)
  if (/^0x[0-9a-fA-F]+$/.test(digits)) return Number.parseInt(digits.slice(2), 16)
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8)
  // Hours, minutes and seconds.
  if (/^[1-9]\d*(:[0-5]?\d)+$/.test(digits)) return digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return /^(0|[1-9]\d*)$/.test(digits) ? Number(digits) : undefined
}

function instant(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
