/** Programs that left their group and still run in a home folder that was made for a proof. */
import { readdirSync, readFileSync } from 'node:fs'

/** Ends them. Only where the system shows what a process was started with (Linux). */
export function endStragglers(home: string): void {
  for (const pid of processes()) {
    if (Number(pid) === process.pid || !livesIn(pid, home)) continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function livesIn(pid: string, home: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0HOME=${home}\0`)
  } catch {
    return false
  }
}
