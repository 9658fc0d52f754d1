import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { readCapsFile } from './cap.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-caps-'))
const path = join(folder, 'caps.yaml')
afterAll(() => rmSync(folder, { recursive: true }))

function read(text: string) {
  writeFileSync(path, text)
  return readCapsFile(path)
}

it('reads caps', () => {
  const text = `caps:
    - { per: person, limit: 50, of: questions, window: day, message: "Enough for today." }
    - { per: all, limit: 12.5, of: cost, window: month, soft: true }
    - { per: role, limit: 1.5 TB, of: bytes, window: week }`
  expect(read(text)).toEqual([
    { per: 'person', limit: 50, of: 'questions', window: 'day', message: 'Enough for today.' },
    { per: 'all', limit: 12.5, of: 'cost', window: 'month', soft: true },
    { per: 'role', limit: 1.5e12, of: 'bytes', window: 'week' },
  ])
  expect(read('caps: []')).toEqual([])
})

it('names the line and the key of each mistake', () => {
  const text = `caps:
  - per: user
    limit: 0
    of: question
    window: hour
  - { per: person, limit: 5, of: tokens, window: day, hard: true }`
  const mistakes = [
    `${path} is wrong:`,
    '- line 2: caps[0].per must be person, channel, role, all',
    '- line 3: caps[0].limit must be more than 0',
    '- line 4: caps[0].of must be questions, tokens, cost, bytes',
    '- line 5: caps[0].window must be day, week, month',
  ]
  for (const mistake of mistakes) expect(() => read(text)).toThrow(mistake)
  expect(() => read(text)).toThrow(/line 6: caps\[1\].*hard/)
  expect(() => read('')).toThrow('must have a list `caps`')
  expect(() => readCapsFile(join(folder, 'none.yaml'))).toThrow(/CLEW_CAPS_FILE is .*there is no such file/)
})
