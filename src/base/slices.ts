import { BASE_LIMITS } from './limits.ts'
import { LoopTurns } from './loop-turns.ts'
import { personAtHand, runAtHand } from './watched-work.ts'

/** The callers that wait for their turn. They are global, because all parts of a process share one event loop. */
const turns = new LoopTurns()

/**
 * Resolves after the rest of the process has had a turn. Then the callers that wait here resume one by one, for at most one slice
 * of time (1 ms) per turn of the event loop. Otherwise fifty waiting chat threads would together block the process. Who has used
 * the loop least goes first, so one person's heavy work delays nobody else.
 */
export function afterOthersTurn(): Promise<void> {
  return new Promise(resolve => {
    if (turns.isEmpty) setImmediate(letGoOn)
    turns.add(personAtHand(), runAtHand(), resolve)
  })
}

function letGoOn(): void {
  const began = performance.now()
  const next = () => {
    const caller = turns.next()
    if (caller === undefined) return
    const isLast = turns.isEmpty
    const resumed = performance.now()
    caller.goOn()
    // Continues only after the resumed caller has finished its synchronous work.
    queueMicrotask(() =>
      process.nextTick(() => {
        const now = performance.now()
        turns.use(caller.person, now - resumed)
        if (isLast) return
        if (now - began < BASE_LIMITS.sliceMs) next()
        else setImmediate(letGoOn)
      }),
    )
  }
  next()
}

/**
 * Returns a function to await between small pieces of work, of at most about half a millisecond each. When a slice of time (1 ms) is
 * over, the function lets other work run first.
 */
export function breather(now: () => number = performance.now.bind(performance)): () => Promise<void> | undefined {
  let began = now()
  return () => {
    if (now() - began < BASE_LIMITS.sliceMs) return undefined
    return afterOthersTurn().then(() => {
      began = now()
    })
  }
}

/**
 * Runs work in small steps. After each slice of time (1 ms), lets other work run.
 * @throws the error of the work
 */
export async function inSlices<Value>(work: Generator<void, Value>, breathe = breather()): Promise<Value> {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
    const turn = breathe()
    if (turn !== undefined) await turn
  }
}

/**
 * Calls `act` for each value. After each slice of time (1 ms), lets other work run.
 * @throws the error of `act`
 */
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
