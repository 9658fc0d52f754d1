import { readFileSync } from 'node:fs'

/** Returns the highest total memory of the processes at the checks. 0 if the system does not tell. */
export function peakMemory(processes: () => readonly number[]): { look(): void; megabytes(): number } {
  let most = 0
  return {
    look() {
      most = Math.max(
        most,
        processes().reduce((sum, pid) => sum + residentKilobytes(pid), 0),
      )
    },
    megabytes: () => Math.round(most / 1024),
  }
}

function residentKilobytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
