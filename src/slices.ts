/** Chosen: how long one piece of work may keep all others of the process waiting, some of which a platform wants answered within 3 s. */
const SLICE_MS = 10

/** Of the process, like its event loop. */
const waiting: (() => void)[] = []

/**
 * Resolves when the rest of the process has had its turn. What waits for that is let go on one after the other, as much as a slice holds and the rest of it in the
 * next turn: fifty threads that come to the same point at the same moment would be a long piece of work together.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(letGoOn)
  })
}

function letGoOn(): void {
  const began = performance.now()
  const next = () => {
    waiting.shift()?.()
    if (waiting.length === 0) return
    // Ticks come when all is done that the one let go on does at once.
    queueMicrotask(() => process.nextTick(() => (performance.now() - began < SLICE_MS ? next() : setImmediate(letGoOn))))
  }
  next()
}

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
