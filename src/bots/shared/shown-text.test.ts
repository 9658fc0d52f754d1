import { describe, expect, it } from '@jest/globals'
import { shownActions } from './shown-actions.ts'
import { cutText, shortLine } from './shown-text.ts'

describe('a text that is cut', () => {
  it.each([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abc…'],
    ['ab😀d', 4, 'ab…'],
    ['', 1, ''],
  ])('%j to %d is %j', (text, most, expected) => {
    expect(cutText(text, most)).toBe(expected)
  })

  it('becomes one visible line', () => {
    expect(shortLine(' a\n\tb\u200b\u202ec ', 10)).toBe('a bc')
  })
})

describe('shownActions', () => {
  it('keeps each action once with its latest label, and drops empty labels', () => {
    const shown = shownActions(
      [
        { action: 'sql', runId: 'run_1', label: 'SQL' },
        { action: 'csv', runId: 'run_1', label: '\u200b' },
        { action: 'sql', runId: 'run_1', label: 'Show SQL', emphasis: 'primary' },
        { action: 'stop', runId: 'run_1', label: 'Stop' },
      ],
      { buttons: 2, label: 6 },
    )
    expect(shown).toEqual([
      { id: 'clew:sql:run_1', label: 'Show …', emphasis: 'primary' },
      { id: 'clew:csv:run_1', label: 'csv', emphasis: undefined },
    ])
  })
})
