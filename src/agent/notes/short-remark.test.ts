import { expect, it } from '@jest/globals'
import { shortRemark } from './short-remark.ts'

it('is one line, cut between words', () => {
  expect(shortRemark('only the\n dropped table\u200b tells')).toBe('only the dropped table tells')
  const cut = shortRemark('whether the link was planned, '.repeat(20))
  expect(cut).toMatch(/ (whether|the|link|was|planned)…$/)
  expect(cut.length).toBeLessThanOrEqual(300)
  expect(shortRemark('x'.repeat(400))).toHaveLength(300)
})
