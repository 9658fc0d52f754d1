/** Chosen: how long one piece of work may block the process. Platforms want some answers within 3 s. */
const SLICE_MS = 10

/** Shared by the process, like its event loop. */
const waiting: (() => void)[] = []

/**
 * Resolves after the rest of the process has had a turn. Waiters resume one by one, a slice of them per turn. Otherwise fifty threads at the same
 * point would block the process together.
 */
export function afterOthersTurn(): Promise<void> {
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
    // A tick runs after everything that the resumed waiter does synchronously.
    queueMicrotask(() => process.nextTick(() => (performance.now() - began < SLICE_MS ? next() : setImmediate(letGoOn))))
  }
  next()
}

/** Yields to the rest of the process after each slice of work. @returns a function to await between parts of at most about a millisecond */
export function breather(now: () => number = performance.now.bind(performance)): () => Promise<void> | undefined {
  let began = now()
  return () => {
    if (now() - began < SLICE_MS) return undefined
    return afterOthersTurn().then(() => {
      began = now()
    })
  }
}

/** Runs work in small steps, and yields to the rest of the process between slices. @throws the work's error */
export async function inSlices<Value>(work: Generator<void, Value>, breathe = breather()): Promise<Value> {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
    const turn = breathe()
    if (turn !== undefined) await turn
  }
}

/** Calls `act` for each value, and yields to the rest of the process between slices. @throws its error */
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

/** Runs work without yielding, if it is known to be short. */
export function atOnce<Value>(work: Generator<void, Value>): Value {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
  }
}
