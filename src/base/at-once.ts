/** Runs all steps of some work without a pause. Only for work that is known to be short. */
export function atOnce<Value>(work: Generator<void, Value>): Value {
  for (;;) {
    const part = work.next()
    if (part.done === true) return part.value
  }
}
