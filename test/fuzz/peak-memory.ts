import { readFileSync } from 'node:fs'

/** Keeps the highest memory that the processes had together at any check. 0 if the system does not report memory. */
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
