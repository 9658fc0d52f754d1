import { expect, it } from '@jest/globals'
import { noticeWhenSlow } from './notice-when-slow.ts'

it('reports slow work once, and fast work never', async () => {
  const told: string[] = []
  let done = (_: string) => {}
  const slow = new Promise<string>(resolve => {
    done = resolve
  })
  const tell = (sentence: string) => {
    told.push(sentence)
    done('done')
  }
  expect(await noticeWhenSlow(Promise.resolve('done'), 'Fast …', tell)).toBe('done')
  expect(await noticeWhenSlow(slow, 'Starting …', tell)).toBe('done')
  expect(told).toEqual(['Starting …'])
})
