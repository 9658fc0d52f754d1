import { describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../../base/errors.ts'
import { ModelError, type ModelErrorKind } from '../../llm/error.ts'
import { NoRecordingError } from '../../llm/no-recording-error.ts'
import { WarehouseError, type WarehouseErrorKind } from '../../warehouse/error.ts'
import { describeRunError } from './describe-run-error.ts'
import { RunError } from './error.ts'

const INSIDE = 'https://user:hunter2@10.0.0.7:8123 sk-secret at /srv/app/dist/x.js:12'
const MODEL_KINDS: readonly ModelErrorKind[] = [
  ...(['unavailable', 'rate_limited', 'no_quota', 'too_large', 'timeout', 'authentication', 'bad_request', 'refused'] as const),
  ...(['truncated', 'invalid_output', 'empty', 'cancelled'] as const),
]
const WAREHOUSE_KINDS: readonly WarehouseErrorKind[] = [
  ...(['syntax', 'unknown_name', 'type', 'query', 'timeout', 'resource'] as const),
  ...(['authentication', 'denied', 'broken', 'unavailable', 'cancelled'] as const),
]

describe('describeRunError', () => {
  it.each([
    ...MODEL_KINDS.map(kind => [`model ${kind}`, new ModelError(INSIDE, { kind, cause: new Error(INSIDE) })] as const),
    ...WAREHOUSE_KINDS.map(kind => [`warehouse ${kind}`, new WarehouseError(INSIDE, { kind })] as const),
    ['a configuration', new ConfigurationError(INSIDE)] as const,
    ['a bug', new TypeError(INSIDE)] as const,
    ['a text', INSIDE] as const,
    ['nothing', undefined] as const,
  ])('says what to do about %s and names the run, without internal details', (_, error) => {
    const shown = describeRunError(error, 'run_0123456789abcdef', 'en')
    expect(shown).toMatch(/\. .*\. \(run_0123456789abcdef\)$|^[^(]+\. \(run_0123456789abcdef\)$/)
    for (const word of ['hunter2', '10.0.0.7', 'sk-secret', 'dist/', 'Error']) expect(shown).not.toContain(word)
    expect(shown).toMatch(/ask again|ask in another way|clew doctor/)
    const german = describeRunError(error, 'run_0123456789abcdef', 'de')
    expect(german).toMatch(/(?:fragen|aufrufen|auf einmal|vielleicht mit anderen Worten|Protokoll)\. \(run_0123456789abcdef\)$/)
    expect(german).not.toMatch(/hunter2|10\.0\.0\.7|sk-secret|dist\/|Error|\bthe\b|please/i)
  })

  it('says how long a run may take, and how to raise the limit', () => {
    const shown = describeRunError(RunError.timedOut(120_000), 'run_1', 'en')
    expect(shown).toContain('longer than the 120 s allowed')
    expect(shown).toContain('CLEW_RUN_TIMEOUT_S')
    expect(shown).not.toContain('hunter2')
  })

  it.each([RunError.timedOut(120_000), RunError.crashed(), RunError.otherAccess(), RunError.forgotten()])(
    'has a German form of "%s"',
    error => {
      expect(error.inLanguage('en')).toBe(error.message)
      expect(error.inLanguage('de')).toMatch(/hilft|fragen/)
    },
  )

  it('distinguishes a slow or endless model from an unreachable one', () => {
    expect(describeRunError(new ModelError(INSIDE, { kind: 'timeout' }), 'run_1', 'en')).toContain('took too long')
    expect(describeRunError(new ModelError(INSIDE, { kind: 'unavailable' }), 'run_1', 'en')).toContain('could not be reached')
  })

  it.each([
    [undefined, 'in a minute', 'in einer Minute'],
    [20_000, 'in a minute', 'in einer Minute'],
    [3_600_000, 'in 60 minutes', 'in 60 Minuten'],
    [86_400_000, 'in 24 hours', 'in 24 Stunden'],
  ])('says when a busy model may be asked again (%s ms)', (retryAfterMs, english, german) => {
    const error = new ModelError(INSIDE, { kind: 'rate_limited', retryAfterMs })
    expect(describeRunError(error, 'run_1', 'en')).toContain(`ask again ${english}.`)
    expect(describeRunError(error, 'run_1', 'de')).toContain(`Bitte ${german} noch`)
  })

  it('offers questions that a replaying model can answer', () => {
    const error = new NoRecordingError(['How many links?', 'What tables?'])
    expect(describeRunError(error, 'run_1', 'en')).toContain('Ask for example "How many links?" or "What tables?". To ask')
    expect(describeRunError(error, 'run_1', 'de')).toContain('Zum Beispiel „How many links?“ oder „What tables?“. Für')
  })
})
