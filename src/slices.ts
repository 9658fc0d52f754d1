import { setImmediate as nextTurn } from 'node:timers/promises'

/** Chosen: how long one piece of work may keep all others of the process waiting, some of which a platform wants answered within 3 s. */
const SLICE_MS = 10

/**
 * Lets the rest of the process have a turn whenever a slice of work has been done since the last one.
 * @returns to be awaited between the parts of a long work; parts should take a millisecond at most
 */
export function breather(now: () => number = performance.now.bind(performance)): () => Promise<void> | undefined {
  let began = now()
  return () => {
    if (now() - began < SLICE_MS) return undefined
    return nextTurn().then(() => {
      began = now()
    })
  }
}

/** Does a work that comes in small parts, the rest of the process having its turns in between. @throws whatever the work throws */
export async function inSlices<Value>(work: Generator<void, Value>, breathe = breather()): Promise<Value> {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
    const turn = breathe()
    if (turn !== undefined) await turn
  }
}

/** Does something for each value, the rest of the process having its turns in between. @throws whatever `act` throws */
export async function eachInSlices<Value>(
  values: Iterable<Value>,
  act: (value: Value) => void,
  breathe = breather(),
): Promise<void> {
  function* work(): Generator<void, void> {
    for (const value of values) {
      act(value)
      yield
    }
  }
  await inSlices(work(), breathe)
}

/** Does all of it at once: for what is known to be short. */
export function atOnce<Value>(work: Generator<void, Value>): Value {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
  }
}
