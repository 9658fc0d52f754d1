import { describe, expect, it } from '@jest/globals'
import { SIZES } from '../base/sizes.ts'
import {
  connectionLost,
  failureInStream,
  failureOfAnswer,
  failureOfConnection,
  neverStarted,
  plainSentence,
  withoutInternals,
} from './server-failure.ts'

const answer = (status: number, code: string | undefined, text: string) => failureOfAnswer({ status, code, text, queryId: 'q' })

describe('failureOfAnswer', () => {
  it.each([
    ['62', 'syntax'],
    ['47', 'unknown_name'],
    ['53', 'type'],
    ['159', 'timeout'],
    ['241', 'resource'],
    ['516', 'authentication'],
    ['164', 'denied'],
    ['202', 'unavailable'],
    ['394', 'cancelled'],
    ['99999', 'query'],
  ])('maps code %s to %s', (code, kind) => {
    const error = answer(500, code, `Code: ${code}. DB::Exception: Something. (SOME_NAME) (version 25.8.1.1 (official build))\n`)
    expect(error).toMatchObject({ kind, serverCode: Number(code), message: 'Something.', queryId: 'q' })
  })

  it('treats a query tree that grew too big as a resource error, and other bad arguments as query errors', () => {
    expect(answer(400, '36', 'Code: 36. DB::Exception: Query tree is too big. Maximum: 20000. (BAD_ARGUMENTS)').kind).toBe(
      'resource',
    )
    expect(answer(400, '36', "Code: 36. DB::Exception: Bad 'Query tree is too big'. (BAD_ARGUMENTS)").kind).toBe('query')
  })

  it.each([
    ['(total) memory limit exceeded: would use 3.7 GiB', 'unavailable'],
    ['Memory limit (total) exceeded: would use 14.10 GiB', 'unavailable'],
    ['Memory limit (for user) exceeded: would use 14.10 GiB', 'unavailable'],
    ['Memory limit (for query) exceeded: would use 9.31 GiB', 'resource'],
    ['Query memory limit exceeded: would use 1.40 GiB', 'resource'],
  ])('distinguishes a server without memory from a query that needs too much: %s', (message, kind) => {
    expect(answer(500, '241', `Code: 241. DB::Exception: ${message}. (MEMORY_LIMIT_EXCEEDED)`)).toMatchObject({ kind })
  })

  it.each([
    [
      "Unknown identifier 'a (B)' in scope SELECT 1. (UNKNOWN_IDENTIFIER) (version 26.7.2.1)",
      "Unknown identifier 'a (B)' in scope SELECT 1.",
    ],
    ['Code: 60. DB::Exception: Table x. (UNKNOWN_TABLE) (version 26.7.2.1). (UNKNOWN_TABLE)', 'Table x.'],
    ['Boom. (SOME_NAME) (version 26.7.2.1)\nStack trace:\n0. ./a.cpp', 'Boom.'],
  ])('keeps the sentence of %j', (text, message) => {
    expect(answer(400, '47', `Code: 47. DB::Exception: ${text}`).message).toBe(message)
  })

  it('believes the header, not quoted text', () => {
    const text = "Code: 47. DB::Exception: Unknown identifier 'Code: 516. DB::Exception: x'. (UNKNOWN_IDENTIFIER)"
    expect(answer(404, '47', text)).toMatchObject({ kind: 'unknown_name', serverCode: 47 })
    expect(answer(404, undefined, text)).toMatchObject({ kind: 'unknown_name', serverCode: 47 })
  })

  it('reads no more of a message than a person would', () => {
    const text = `Code: 62. DB::Exception: ${'x'.repeat(SIZES.engineMessage)} Stack trace: ${' '.repeat(10_000_000)}`
    for (const error of [answer(500, '62', text), failureInStream(text, 'q')]) expect(error).toMatchObject({ serverCode: 62 })
    // Only the beginning of a long message is read. This code comes after the cut, so it is not found.
    expect(answer(500, undefined, `${'x'.repeat(SIZES.engineMessage)} Code: 62. DB::Exception: y`).serverCode).toBeUndefined()
  })

  it('cuts a long message', () => {
    expect(answer(400, '62', `Code: 62. DB::Exception: ${'x'.repeat(5_000)}`).message).toHaveLength(1_001)
  })

  it.each([
    [502, 'unavailable'],
    [503, 'unavailable'],
    [401, 'authentication'],
    [404, 'query'],
  ])('maps a plain HTTP status %i to %s', (status, kind) => {
    expect(answer(status, undefined, '<html>').kind).toBe(kind)
  })
})

describe('failureInStream', () => {
  it('is unavailable if the stream just ended', () => {
    expect(failureInStream(undefined, 'q').kind).toBe('unavailable')
    expect(failureInStream('half a row', 'q').kind).toBe('unavailable')
  })
})

describe('failureOfConnection', () => {
  const failure = (code: string) => failureOfConnection(Object.assign(new Error('socket'), { code }), 'q')

  it('distinguishes a server that was never reached from a lost connection', () => {
    expect([neverStarted(failure('ECONNREFUSED')), connectionLost(failure('ECONNREFUSED'))]).toEqual([true, false])
    expect([neverStarted(failure('ECONNRESET')), connectionLost(failure('ECONNRESET'))]).toEqual([false, true])
  })

  it('recognizes 202 as a query that never started', () => {
    expect(neverStarted(answer(500, '202', 'Code: 202. DB::Exception: Too many'))).toBe(true)
    expect(neverStarted(answer(500, '241', 'Code: 241. DB::Exception: Memory'))).toBe(false)
  })
})

describe('plainSentence', () => {
  it.each([
    [
      '497',
      'clew_reader: Not enough privileges. To execute this query, it is necessary to have the grant SELECT(salary) ON hr.secret.',
      'The warehouse does not let Clew run this query.',
    ],
    [
      '516',
      'clew_reader: Authentication failed: password is incorrect, or there is no user with such name.',
      'The warehouse does not accept Clew’s credentials.',
    ],
    [
      '210',
      'Connection refused (ch-2.internal:9000, 10.0.0.7, local address: 10.0.0.1:41234)',
      'The warehouse cannot be reached, or is too busy, just now.',
    ],
    [
      '999',
      'Session expired, path: /clickhouse/tables/0/visits/replicas',
      'The warehouse cannot be reached, or is too busy, just now.',
    ],
    ['246', 'Corrupted part at /var/lib/clickhouse/x', 'The warehouse cannot read a part of its own data.'],
    ['290', 'Limit exceeded on ch-2.internal:9000 in /var/lib/clickhouse/x', 'Limit exceeded on … in …'],
  ])('for code %s reveals nothing about the server', (code, text, sentence) => {
    expect(plainSentence(answer(500, code, `Code: ${code}. DB::Exception: ${text} (A_NAME)`))).toBe(sentence)
  })

  it('reveals nothing about a socket', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8123'), { code: 'ECONNREFUSED' })
    expect(plainSentence(failureOfConnection(refused, 'q'))).toBe('The warehouse cannot be reached, or is too busy, just now.')
  })

  it('knows exceptions in other namespaces', () => {
    const error = answer(500, undefined, 'Code: 999. Coordination::Exception: Session expired, path: /a/b. (KEEPER_EXCEPTION)')
    expect(error).toMatchObject({ kind: 'unavailable', serverCode: 999, message: 'Session expired, path: /a/b.' })
  })
})

describe('withoutInternals', () => {
  it.each([
    [
      'Bad cast from type A to B: (while reading from part /var/lib/clickhouse/store/abc/all_1_1_0/ located on disk default of type local, in table a.b)',
      'Bad cast from type A to B.',
    ],
    [
      "Cannot parse string 'x' as UInt8: (in file/uri /var/lib/clickhouse/user_files/a.csv): (at row 1)",
      "Cannot parse string 'x' as UInt8.",
    ],
    ['Received from ch-2.internal:9000. DB::Exception: Too large array', 'Too large array'],
    ['No such file: /etc/clickhouse-server/users.xml', 'No such file: …'],
    ['No answer of keeper1:2181 or [::1]:9000', 'No answer of … or …'],
    [
      "Cannot parse time '2026-03-01 12:30:00' of a/b, 1 / 2, t.x::Date",
      "Cannot parse time '2026-03-01 12:30:00' of a/b, 1 / 2, t.x::Date",
    ],
  ])('keeps the part of %j that describes the query', (text, kept) => {
    expect(withoutInternals(text)).toBe(kept)
  })
})
