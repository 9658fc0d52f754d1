import { cpus, loadavg, totalmem } from 'node:os'

/** Facts about the machine on which the benchmark runs. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly platform: string
  /** The machine's load average over a minute, before the first measurement. `load_after` is that after the last one. */
  readonly load_before: number
  readonly load_after: number
}

export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100
}

export function machine(loadBefore: number): Machine {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    load_before: loadBefore,
    load_after: load(),
  }
}
