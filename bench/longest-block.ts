import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Linux's statistics of the thread that opens this file: nanoseconds on a core, nanoseconds of waiting for one, number of time slices.
 */
const SCHEDULE = '/proc/thread-self/schedstat'
const SCHEDULE_BYTES = 100
const LOOK_MS = 5

/**
 * Measures the longest time for which work blocks its thread, in milliseconds. On Linux this is processor time, so it leaves out time in which other
 * programs have the cores. Elsewhere it is elapsed time.
 * @throws the work's error
 */
export async function longestBlock(work: () => unknown): Promise<number> {
  const clock = openThreadClock()
  let longest = 0
  let isOver = false
  async function watch(): Promise<void> {
    let last = clock.now()
    while (!isOver) {
      await nextTurn()
      const now = clock.now()
      longest = Math.max(longest, now - last)
      last = now
    }
  }
  const watching = watch()
  // The work starts after the first reading of the clock. So even its first block counts.
  await nextTurn()
  try {
    await work()
  } finally {
    isOver = true
    await watching
    clock.close()
  }
  return longest
}

/**
 * Measures the longest block of the thread since the last call. Works as `longestBlock` does, but checks only every few milliseconds.
 */
export function watchBlocks(): { readonly longest: () => number } {
  const clock = openThreadClock()
  let longest = 0
  let last = clock.now()
  setInterval(() => {
    const now = clock.now()
    longest = Math.max(longest, now - last)
    last = now
  }, LOOK_MS).unref()
  return {
    longest: () => {
      const told = longest
      longest = 0
      return told
    },
  }
}

/** Returns a clock that shows for how many milliseconds this thread has run on a core. */
function openThreadClock(): { now(): number; close(): void } {
  const file = openSchedule()
  if (file === undefined) return { now: () => performance.now(), close: () => undefined }
  const buffer = Buffer.alloc(SCHEDULE_BYTES)
  return {
    now: () => {
      const length = readSync(file, buffer, 0, SCHEDULE_BYTES, 0)
      return Number(buffer.toString('latin1', 0, length).split(' ')[0]) / 1e6
    },
    close: () => closeSync(file),
  }
}

function openSchedule(): number | undefined {
  try {
    return openSync(SCHEDULE, 'r')
  } catch {
    return undefined
  }
}
