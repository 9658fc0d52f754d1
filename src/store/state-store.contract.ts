import { describe, expect, it } from '@jest/globals'
import type { StateStore } from './state-store.ts'

/**
 * Registers the tests that every StateStore must pass. `passTime` lets at least this many milliseconds pass on the store's clock.
 */
export function describeStateStore(
  name: string,
  implementation: { readonly store: () => StateStore; readonly passTime: (milliseconds: number) => Promise<void> },
): void {
  const signal = new AbortController().signal

  describe(`${name} as a StateStore`, () => {
    it('returns a value that was set, and undefined for others', async () => {
      const store = implementation.store()
      await store.set('{t1}:value', 'Grüße ✓', 60, signal)
      expect(await store.get('{t1}:value', signal)).toBe('Grüße ✓')
      expect(await store.get('{t1}:other', signal)).toBeUndefined()
    })

    it('replaces a value', async () => {
      const store = implementation.store()
      await store.set('{t2}:value', 'first', 60, signal)
      await store.set('{t2}:value', '', 60, signal)
      expect(await store.get('{t2}:value', signal)).toBe('')
    })

    it('sets an absent value once', async () => {
      const store = implementation.store()
      expect(await store.setIfUnchanged('{t3}:value', undefined, 'first', 60, signal)).toBe(true)
      expect(await store.setIfUnchanged('{t3}:value', undefined, 'second', 60, signal)).toBe(false)
      expect(await store.get('{t3}:value', signal)).toBe('first')
    })

    it('replaces a value unless someone else has', async () => {
      const store = implementation.store()
      expect(await store.setIfUnchanged('{t10}:value', 'first', 'second', 60, signal)).toBe(false)
      expect(await store.get('{t10}:value', signal)).toBeUndefined()
      await store.set('{t10}:value', 'Grüße', 60, signal)
      expect(await store.setIfUnchanged('{t10}:value', 'Grüsse', 'second', 60, signal)).toBe(false)
      expect(await store.setIfUnchanged('{t10}:value', 'Grüße', 'second', 60, signal)).toBe(true)
      expect(await store.setIfUnchanged('{t10}:value', 'Grüße', 'third', 60, signal)).toBe(false)
      expect(await store.get('{t10}:value', signal)).toBe('second')
    })

    it.each([undefined, 'before'])('lets one of many concurrent writers win, from %s', async before => {
      const store = implementation.store()
      const key = `{t4}:${before}`
      if (before !== undefined) await store.set(key, before, 60, signal)
      const wins = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.setIfUnchanged(key, before, `${index}`, 60, signal)),
      )
      expect(wins.filter(Boolean)).toHaveLength(1)
      expect(await store.get(key, signal)).toBe(`${wins.indexOf(true)}`)
    })

    it('renews the life of a replaced value', async () => {
      const store = implementation.store()
      await store.set('{t11}:value', 'a', 30, signal)
      expect(await store.setIfUnchanged('{t11}:value', 'a', 'b', 0.05, signal)).toBe(true)
      await implementation.passTime(80)
      expect(await store.setIfUnchanged('{t11}:value', 'b', 'c', 60, signal)).toBe(false)
      expect(await store.get('{t11}:value', signal)).toBeUndefined()
    })

    it('deletes values and lists, and ignores missing ones', async () => {
      const store = implementation.store()
      await store.set('{t5}:value', 'x', 60, signal)
      await store.append('{t5}:list', 'x', 60, signal)
      for (const key of ['{t5}:value', '{t5}:list', '{t5}:none']) await store.delete(key, signal)
      expect(await store.get('{t5}:value', signal)).toBeUndefined()
      expect(await store.list('{t5}:list', signal)).toEqual([])
    })

    it('keeps a list in order of its appends', async () => {
      const store = implementation.store()
      expect(await store.list('{t6}:list', signal)).toEqual([])
      for (const item of ['c', 'a', 'b', 'a']) await store.append('{t6}:list', item, 60, signal)
      expect(await store.list('{t6}:list', signal)).toEqual(['c', 'a', 'b', 'a'])
    })

    it('drops an expired value', async () => {
      const store = implementation.store()
      await store.set('{t7}:value', 'x', 0.05, signal)
      await store.append('{t7}:list', 'x', 0.05, signal)
      await implementation.passTime(80)
      expect(await store.get('{t7}:value', signal)).toBeUndefined()
      expect(await store.list('{t7}:list', signal)).toEqual([])
      expect(await store.setIfUnchanged('{t7}:value', undefined, 'y', 60, signal)).toBe(true)
    })

    it('renews the life of a list with each append', async () => {
      const store = implementation.store()
      await store.append('{t8}:list', 'a', 0.05, signal)
      await store.append('{t8}:list', 'b', 60, signal)
      await implementation.passTime(80)
      expect(await store.list('{t8}:list', signal)).toEqual(['a', 'b'])
    })

    it('refuses an aborted caller', async () => {
      const store = implementation.store()
      const aborted = AbortSignal.abort(new Error('gone home'))
      await expect(store.get('{t9}:value', aborted)).rejects.toThrow('gone home')
      await expect(store.list('{t9}:list', aborted)).rejects.toThrow('gone home')
    })
  })
}
