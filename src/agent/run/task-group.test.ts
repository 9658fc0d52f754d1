import { describe, expect, it } from '@jest/globals'
import { withTaskGroup } from './task-group.ts'

/** Returns a task that ends when it is aborted, and then adds its name to `ended`. */
function untilAborted(ended: string[], name: string) {
  return (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        ended.push(name)
        reject(signal.reason)
      })
    })
}

describe('withTaskGroup', () => {
  it('ends the other tasks on a fault, and throws that fault', async () => {
    const ended: string[] = []
    const fault = new Error('no model')
    await expect(
      withTaskGroup(new AbortController().signal, async group => {
        const waiting = group.start(untilAborted(ended, 'waiting'))
        group.start(() => Promise.reject(fault))
        return waiting.result
      }),
    ).rejects.toBe(fault)
    expect(ended).toEqual(['waiting'])
  })

  it('leaves nothing running when its body returns', async () => {
    const ended: string[] = []
    const value = await withTaskGroup(new AbortController().signal, async group => {
      group.start(untilAborted(ended, 'left'))
      return group.start(async () => 7).result
    })
    expect([value, ended]).toEqual([7, ['left']])
  })

  it('cancels one task without the others', async () => {
    const ended: string[] = []
    await withTaskGroup(new AbortController().signal, async group => {
      const dropped = group.start(untilAborted(ended, 'dropped'))
      dropped.cancel()
      await expect(dropped.result).rejects.toBeDefined()
      expect(group.signal.aborted).toBe(false)
    })
    expect(ended).toEqual(['dropped'])
  })

  it('aborts its tasks with its parent', async () => {
    const ended: string[] = []
    const parent = new AbortController()
    const group = withTaskGroup(parent.signal, tasks => tasks.start(untilAborted(ended, 'task')).result)
    parent.abort(new Error('stopped'))
    await expect(group).rejects.toThrow('stopped')
    expect(ended).toEqual(['task'])
  })
})
