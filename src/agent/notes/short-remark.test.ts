import { expect, it } from '@jest/globals'
import { shortRemark } from './short-remark.ts'

it('is one line, cut after a sentence or between words', () => {
  expect(shortRemark('only the\n dropped table\u200b tells')).toBe('only the dropped table tells')
  const cut = shortRemark('whether the link was planned, '.repeat(20))
  expect(cut).toMatch(/ (whether|the|link|was|planned)…$/)
  expect(cut.length).toBeLessThanOrEqual(300)
  expect(shortRemark(`It has 3.5 GB (a, b). The ${'rest '.repeat(80)}`)).toBe('It has 3.5 GB (a, b).')
  expect(shortRemark('x'.repeat(400))).toHaveLength(300)
})
