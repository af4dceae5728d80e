/** The one check of harness files, for the build and for users' own: each mistake with its place. */
import { harnessSchema } from '../schema/harness.ts'
import type { DataMap } from '../schema/merge.ts'
import { claimComplaints } from './claims.ts'
import { placeholderComplaints } from './placeholders.ts'
import { type HarnessProblem, type Provenance, placeOf } from './places.ts'
import { type Complaint, shapeComplaints } from './shape.ts'
import { wordComplaints } from './words.ts'

export interface Linted {
  /** What the file says itself. */
  readonly own: DataMap
  /** With what it extends. */
  readonly data: DataMap
  readonly origin: Provenance
  /** All harnesses that are known, with this one. */
  readonly harnesses: readonly string[]
}

/** In the order of the text. */
export function lintHarness({ own, data, origin, harnesses }: Linted): HarnessProblem[] {
  const complaints = [
    ...shapeComplaints(harnessSchema, data),
    ...wordComplaints(data, harnesses),
    ...placeholderComplaints(data),
    ...claimComplaints(own, data),
  ]
  const problems = complaints.map((one) => {
    const { place, isUnseen } = placeOf(origin, one.path, one.at)
    return { ...place, message: messageOf(one) + (isUnseen ? ' That comes from what this file extends.' : '') }
  })
  return problems.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column)
}

function messageOf({ path, at, message }: Complaint): string {
  // The message names the key itself.
  const named = at === 'key' ? path.slice(0, -1) : path
  const sentence = message.trim().replace(/[^.?]$/, '$&.')
  return named.length === 0 ? sentence : `${pathText(named)}: ${sentence}`
}
function pathText(path: Complaint['path']): string {
  return path.filter((step) => typeof step === 'string').join('.')
}
