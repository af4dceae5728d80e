/** A process, identified by its id and its start time: ids are reused, start times are not. */
export interface ProcessId {
  readonly pid: number
  readonly start: string
}
