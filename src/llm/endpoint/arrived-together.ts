import { afterOthersTurn, breather } from '../../base/slices.ts'

/**
 * Groups the values of a stream that arrive in the same turn of the event loop. Every listener then runs once per group. Running
 * once per token would take more time than reading the tokens. If the caller leaves the loop early, the code that opened the
 * stream must close it.
 * @param read extracts the content of a value, as soon as the value arrives
 * @param breathe lets other work run when a slice of time is over. The values so far are then a group
 * @throws the error of the stream or of `read`, after all earlier values
 */
export async function* arrivedTogether<Value, Read>(
  source: AsyncIterable<Value> | Iterable<Value>,
  read: (value: Value) => Iterable<Read>,
  breathe = breather(),
): AsyncGenerator<readonly Read[], void> {
  let arrived: Read[] = []
  let end: { readonly fault?: unknown } | undefined
  let wake = () => {}
  const pause = () => {
    const turn = breathe()
    // The values so far are used while this stream waits for its turn.
    if (turn !== undefined) wake()
    return turn
  }
  const follow = async () => {
    try {
      for await (const value of source) {
        for (const each of read(value)) {
          arrived.push(each)
          await pause()
        }
        wake()
        // A stream may send without end and without anything to read. Then only this pause lets other work run.
        await pause()
      }
      end = {}
    } catch (fault) {
      end = { fault }
    }
    wake()
  }
  void follow()
  while (end === undefined || arrived.length > 0) {
    if (end === undefined && arrived.length === 0) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
      // Values that arrive in the same turn of the event loop form a group. No other event is handled between them.
      if (end === undefined) await afterOthersTurn()
    }
    const group = arrived
    arrived = []
    if (group.length > 0) yield group
  }
  if ('fault' in end) throw end.fault
}
