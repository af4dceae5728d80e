/** A process, identified by its number and its start time: numbers are reused, start times are not. */
export interface ProcessId {
  readonly pid: number
  readonly start: string
}
