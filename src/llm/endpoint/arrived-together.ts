import { afterOthersTurn } from '../../base/slices.ts'

/**
 * Groups what a stream holds by turn of the event loop. Each group costs every listener a step, which for each token would cost more than the token.
 * Whoever opened the stream must close it if it is left early.
 * @param read what a value of the stream holds, read as soon as it arrives
 * @throws whatever the stream or `read` throws, after everything before
 */
export async function* arrivedTogether<Value, Read>(
  source: AsyncIterable<Value> | Iterable<Value>,
  read: (value: Value) => Iterable<Read>,
): AsyncGenerator<readonly Read[], void> {
  let arrived: Read[] = []
  let end: { readonly fault?: unknown } | undefined
  let wake = () => {}
  const follow = async () => {
    try {
      for await (const value of source) {
        for (const each of read(value)) arrived.push(each)
        wake()
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
      // What arrived with the first one follows before any other event.
      if (end === undefined) await afterOthersTurn()
    }
    const group = arrived
    arrived = []
    if (group.length > 0) yield group
  }
  if ('fault' in end) throw end.fault
}
