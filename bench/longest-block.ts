import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Linux's account of the thread that opens it: nanoseconds on a core, nanoseconds ready and waiting for one, times it was given one. */
const SCHEDULE = '/proc/thread-self/schedstat'
const SCHEDULE_BYTES = 100
const LOOK_MS = 5

/**
 * The longest time that a work lets nothing else of the thread have its turn, in milliseconds of the processor where the system tells them (Linux): time in which others
 * have the cores says nothing of the work. Elsewhere it is the time that passes.
 * @throws whatever the work throws
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
  // The first look is behind: what the work does at once counts too.
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

/** The longest block of the thread, from now on or since it was last told, as `longestBlock` counts it, but for a look every few milliseconds only. */
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

/** Milliseconds that this thread has been on a core. */
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
