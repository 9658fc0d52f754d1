import { describe, expect, it } from '@jest/globals'
import { connectionReason } from './errors.ts'

describe('connectionReason', () => {
  it("is the system's message, however deep it is nested", () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')
    const wrapped = new Error('Connection error.', { cause: new TypeError('fetch failed', { cause: refused }) })
    expect(connectionReason(wrapped)).toBe('connect ECONNREFUSED 127.0.0.1:1.')
    expect(connectionReason(refused)).toBe('connect ECONNREFUSED 127.0.0.1:1.')
  })

  it('contains each address of a host once, and no password', () => {
    const both = new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1'), new Error('connect ::1')])
    expect(connectionReason(new TypeError('fetch failed', { cause: both }))).toBe('connect ::1, connect 127.0.0.1.')
    expect(connectionReason(new Error('Invalid URL: http://me:secret@host'))).toBe('Invalid URL: http://host.')
  })
})
