import { describe, expect, it } from '@jest/globals'
import { ChatError } from '../../chat/error.ts'
import { StoreError } from '../../store/store-error.ts'
import { type ProgressEditorDeps, startProgressEditor } from './progress-editor.ts'

/** Creates an editor and a list of what it did. The editor's edits end when the test says so. */
function createScene(changes: Partial<ProgressEditorDeps> = {}) {
  const edits: string[] = []
  const failures: unknown[] = []
  const finishEdit: (() => void)[] = []
  let onEdit = (): void => undefined
  const editor = startProgressEditor({
    begin: async () => undefined,
    edit: ({ lines }) =>
      new Promise(resolve => {
        edits.push(lines.join())
        finishEdit.push(() => resolve(false))
        onEdit()
      }),
    takeFromBudget: async () => 0,
    intervalMs: 0,
    awaitedIntervalMs: 0,
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
  it('has at most one edit under way, and continues with the latest progress', async () => {
    const { editor, edits, finishEdit, nextEdit } = createScene()
    const first = nextEdit()
    editor.show(() => ({ lines: ['a'] }))
    await first
    for (const line of ['b', 'c', 'd']) editor.show(() => ({ lines: [line] }))
    expect(edits).toEqual(['a'])
    const second = nextEdit()
    finishEdit()
    await second
    expect(edits).toEqual(['a', 'd'])
    finishEdit()
    await editor.stop()
  })

  it('shows the rest after a partial edit, unless newer progress has arrived', async () => {
    const edits: string[] = []
    let done = (): void => undefined
    const isDone = new Promise<void>(resolve => {
      done = resolve
    })
    const { editor } = createScene({
      edit: async ({ lines }) => {
        edits.push(lines.join())
        if (edits.length === 2) editor.show(() => ({ lines: ['newer'] }))
        if (lines.includes('newer')) done()
        return !lines.includes('newer')
      },
    })
    editor.show(() => ({ lines: ['a'] }))
    await isDone
    await editor.stop()
    expect(edits).toEqual(['a', 'a', 'newer'])
  })

  it('reads the progress when it shows it, and takes no budget for unchanged progress', async () => {
    let line = 'a'
    let asked = 0
    let taken = 0
    const { editor, edits, finishEdit, nextEdit } = createScene({ takeFromBudget: async () => taken++ && 0 })
    const progress = () => {
      asked++
      return { lines: [line] }
    }
    const show = async () => {
      const edit = nextEdit()
      for (let times = 0; times < 100; times++) editor.show(progress)
      await edit
    }
    await show()
    finishEdit()
    editor.show(progress)
    await new Promise(setImmediate)
    line = 'b'
    await show()
    expect([edits, taken]).toEqual([['a', 'b'], 2])
    expect(asked).toBeLessThan(10)
    finishEdit()
    await editor.stop()
  })

  it.each([
    ['a plan', { lines: ['a', 'Q1'] }],
    ['first rows', { lines: ['a'], table: '| n |' }],
    ['first words', { lines: ['a'], answer: 'There are' }],
  ])('shows %s at once, and more of the same kind after its pause', async (_what, progress) => {
    const { editor, edits, finishEdit, nextEdit } = createScene({ intervalMs: 60_000 })
    const first = nextEdit()
    editor.show(() => ({ lines: ['b'] }))
    editor.show(() => progress)
    await first
    finishEdit()
    editor.show(() => ({ ...progress, lines: [...progress.lines, 'Q2'] }))
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    await editor.stop()
    expect(edits).toEqual([progress.lines.join()])
  })

  it('keeps its pace after a partial edit, and marks edits that people wait for', async () => {
    const asked: boolean[] = []
    const { editor, edits } = createScene({
      intervalMs: 60_000,
      takeFromBudget: async isAwaited => {
        asked.push(isAwaited)
        return 0
      },
      edit: async ({ lines }) => {
        edits.push(lines.join())
        done()
        return true
      },
    })
    let done = (): void => undefined
    const isShown = new Promise<void>(resolve => {
      done = resolve
    })
    editor.show(() => ({ lines: ['a', 'Q1'], answer: 'There are' }))
    await isShown
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    await editor.stop()
    expect([edits, asked]).toEqual([['a,Q1'], [true]])
  })

  it('stops only after the edit under way, and shows nothing later', async () => {
    const { editor, edits, finishEdit, nextEdit } = createScene()
    const first = nextEdit()
    editor.show(() => ({ lines: ['a'] }))
    await first
    editor.show(() => ({ lines: ['b'] }))
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

  it('reports once that nothing can be shown, and stops', async () => {
    const gone = new ChatError('gone', { kind: 'gone' })
    const { editor, failures } = createScene({ begin: async () => Promise.reject(gone) })
    editor.show(() => ({ lines: ['a'] }))
    await new Promise(setImmediate)
    await editor.stop()
    expect(failures).toEqual([gone])
  })

  it.each([
    new ChatError('away', { kind: 'unavailable' }),
    new ChatError('slow down', { kind: 'rate_limited', retryAfterMs: 1 }),
    new StoreError('full', { kind: 'full' }),
  ])('does not fail an answer because of progress: %p', async error => {
    const { editor, failures } = createScene({ edit: async () => Promise.reject(error) })
    editor.show(() => ({ lines: ['a'] }))
    await new Promise(setImmediate)
    await editor.stop()
    expect(failures).toEqual([])
  })
})
