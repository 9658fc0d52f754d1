import { describe, expect, it } from '@jest/globals'
import { createMemoryStateStore } from './memory-state-store.ts'
import { describeStateStore } from './state-store.contract.ts'

let now = 1_000_000
const store = createMemoryStateStore({ now: () => now })

describeStateStore('the memory store', {
  store: () => store,
  passTime: async milliseconds => {
    now += milliseconds
  },
})

describe('createMemoryStateStore', () => {
  it('keeps a value until its last millisecond', async () => {
    const signal = new AbortController().signal
    await store.set('exact', 'x', 10, signal)
    now += 9_999
    expect(await store.get('exact', signal)).toBe('x')
    now += 1
    expect(await store.get('exact', signal)).toBeUndefined()
  })
})
