/** A process, known by its number and the moment it started. */

/** A process, beyond doubt: numbers of processes come round again, the moment of the start does not. */

export interface ProcessId {
  readonly pid: number
  readonly start: string
}
