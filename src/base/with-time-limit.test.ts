import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from '@jest/globals'
import { withTimeLimit } from './with-time-limit.ts'

describe('withTimeLimit', () => {
  let collecting: NodeJS.Timeout | undefined
  afterEach(() => clearInterval(collecting))

  it('ends in time even after garbage collection, without other references to the limit', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const signal = withTimeLimit(new AbortController().signal, 200)
    const ended = once(signal, 'abort')
    collecting = setInterval(collect, 20)
    await ended
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  }, 10_000)

  it('ends with the signal', () => {
    const own = new AbortController()
    const signal = withTimeLimit(own.signal, 60_000)
    own.abort(new Error('enough'))
    expect(signal.reason).toEqual(new Error('enough'))
  })
})
