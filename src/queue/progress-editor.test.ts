import { describe, expect, it } from '@jest/globals'
import { ChatError } from '../bots/chat-error.ts'
import { StoreError } from '../store/store-error.ts'
import { type ProgressEditorDeps, startProgressEditor } from './progress-editor.ts'

/** An editor whose edits end when told to, and what it did. */
function createScene(changes: Partial<ProgressEditorDeps> = {}) {
  const edits: string[] = []
  const failures: unknown[] = []
  const finishEdit: (() => void)[] = []
  let onEdit = (): void => undefined
  const editor = startProgressEditor({
    begin: async () => undefined,
    edit: lines =>
      new Promise(resolve => {
        edits.push(lines.join())
        finishEdit.push(resolve)
        onEdit()
      }),
    takeFromBudget: async () => 0,
    intervalMs: 0,
    onFailure: error => failures.push(error),
    ...changes,
  })
  const nextEdit = () =>
    new Promise<void>(resolve => {
      onEdit = resolve
    })
  return { editor, edits, failures, finishEdit: () => finishEdit.shift()?.(), nextEdit }
}

describe('startProgressEditor', () => {
  it('has one edit under way at most, and goes on with the latest', async () => {
    const { editor, edits, finishEdit, nextEdit } = createScene()
    const first = nextEdit()
    editor.show(['a'])
    await first
    for (const line of ['b', 'c', 'd']) editor.show([line])
    expect(edits).toEqual(['a'])
    const second = nextEdit()
    finishEdit()
    await second
    expect(edits).toEqual(['a', 'd'])
    finishEdit()
    await editor.stop()
  })

  it('stops only when the edit under way has ended, and shows nothing afterwards', async () => {
    const { editor, edits, finishEdit, nextEdit } = createScene()
    const first = nextEdit()
    editor.show(['a'])
    await first
    editor.show(['b'])
    let stopped = false
    const stopping = editor.stop().then(() => {
      stopped = true
    })
    await new Promise(setImmediate)
    expect(stopped).toBe(false)
    finishEdit()
    await stopping
    expect(edits).toEqual(['a'])
  })

  it('tells once that nothing can be shown, and stops at that', async () => {
    const gone = new ChatError('gone', { kind: 'gone' })
    const { editor, failures } = createScene({ begin: async () => Promise.reject(gone) })
    editor.show(['a'])
    await new Promise(setImmediate)
    await editor.stop()
    expect(failures).toEqual([gone])
  })

  it.each([
    new ChatError('away', { kind: 'unavailable' }),
    new ChatError('slow down', { kind: 'rate_limited', retryAfterMs: 1 }),
    new StoreError('full', { kind: 'full' }),
  ])('does not let an answer fail for want of progress: %p', async error => {
    const { editor, failures } = createScene({ edit: async () => Promise.reject(error) })
    editor.show(['a'])
    await new Promise(setImmediate)
    await editor.stop()
    expect(failures).toEqual([])
  })
})
