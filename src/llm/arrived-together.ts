import { nextTurn } from '../slices.ts'

/**
 * The values of a stream in groups of those that one read of the network brought: what is done for each group costs every part that listens a step, which
 * for each token would be more than the token. A stream that is left before its end must be ended by whoever opened it.
 * @param read what is wanted of a value
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
      // What came with the first value follows it before the process turns to anything else.
      if (end === undefined) await nextTurn()
    }
    const group = arrived
    arrived = []
    if (group.length > 0) yield group
  }
  if ('fault' in end) throw end.fault
}
