import { describe, expect, it } from '@jest/globals'
import { ClewError } from './errors.ts'
import { createLogger } from './logger.ts'

const SECRET = 'sk-0123456789"quoted\\abc'

function logged(write: (logger: ReturnType<typeof createLogger>) => void, secrets: readonly string[] = [SECRET]): string[] {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  write(createLogger({ level: 'trace', secrets, destination }))
  return lines
}

describe('createLogger', () => {
  it('writes a JSON object per line, with time and fields', () => {
    const [line = ''] = logged(logger => logger.info({ run: 'run_1' }, 'started'))
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toMatchObject({
      level: 30,
      run: 'run_1',
      msg: 'started',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  it.each([
    ['a field', { key: SECRET }],
    ['the middle of a text', { url: `https://u:${SECRET}@host` }],
    ['a nested object', { request: { headers: [{ authorization: `Bearer ${SECRET}` }] } }],
    ["a field's name", { [SECRET]: 1 }],
    ['an error', { err: new Error(`401: wrong key ${SECRET}`) }],
    ["an error's cause", { err: new ClewError('away', { code: 'x', cause: new Error(SECRET) }) }],
    ["an error's own field", { err: Object.assign(new Error('away'), { config: { key: SECRET } }) }],
  ])('removes a secret from %s', (_, fields) => {
    const [line = ''] = logged(logger => logger.error(fields, `with ${SECRET} in the message`))
    expect(line).not.toContain('0123456789')
    expect(line).toContain('[redacted]')
    expect(JSON.parse(line).msg).toBe('with [redacted] in the message')
  })

  it("removes it from a child logger's fields", () => {
    expect(logged(logger => logger.child({ token: SECRET }).warn('here')).join()).not.toContain('0123456789')
  })

  it('leaves no rest of a secret that begins with another', () => {
    const lines = logged(logger => logger.info('it is password-and-more'), ['password', 'password-and-more'])
    expect(JSON.parse(lines[0] ?? '').msg).toBe('it is [redacted]')
  })

  it('ignores secrets so short that they would match ordinary words', () => {
    expect(JSON.parse(logged(logger => logger.info('default'), ['a', ''])[0] ?? '').msg).toBe('default')
  })

  it('writes nothing below its level', () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', destination: { write: line => void lines.push(line) } })
    logger.info('not this')
    logger.warn('this')
    expect(lines).toHaveLength(1)
  })
})
