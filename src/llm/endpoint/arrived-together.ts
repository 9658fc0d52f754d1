import { afterOthersTurn } from '../../base/slices.ts'

/**
 * Groups the values of a stream by network read. Each group costs every listener a step, which for each token would cost more than the token. Whoever
 * opened the stream must close it if it is left early.
 * @param read extracts the wanted part of a value
 * @throws whatever the stream or `read` throws, after all values before
 */
export async function* arrivedTogether<Value, Read>(
  source: AsyncIterable<Value>,
  read: (value: Value) => Read,
): AsyncGenerator<readonly Read[], void> {
  let arrived: Read[] = []
  let end: { readonly fault?: unknown } | undefined
  let wake = () => {}
  const follow = async () => {
    try {
      for await (const value of source) {
        arrived.push(read(value))
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
      // Values that arrived with the first one follow before any other event.
      if (end === undefined) await afterOthersTurn()
    }
    const group = arrived
    arrived = []
    if (group.length > 0) yield group
  }
  if ('fault' in end) throw end.fault
}
