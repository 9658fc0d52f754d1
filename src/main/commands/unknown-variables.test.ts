import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../config.ts'
import { unknownVariables } from './unknown-variables.ts'

const { variables } = readConfig({})

describe('a variable that nobody reads', () => {
  it.each([
    ['CLEW_QUERY_MAX_ROW', 'CLEW_QUERY_MAX_ROWS'],
    ['CLEW_MODEL_GENRATE', 'CLEW_MODEL_GENERATE'],
    ['CLEW_TIMEZONE', 'CLEW_TIME_ZONE'],
    ['CLICKHOSE_URL', 'CLICKHOUSE_URL'],
    ['CLEW_MODEL', 'OPENAI_MODEL?'],
    ['CLEW_REDIS_URL', 'REDIS_URL?'],
    ['OPENAI_BASEURL', 'OPENAI_BASE_URL'],
    ['SLACK_TOKEN', 'SLACK_APP_TOKEN or SLACK_BOT_TOKEN'],
  ])('%s is reported with the near one', (name, near) => {
    const [told] = unknownVariables({ [name]: 'x' }, variables)
    expect(told?.startsWith(`Clew does not read ${name}: did you mean ${near}`)).toBe(true)
  })

  it('is reported alone if none is near', () => {
    expect(unknownVariables({ CLEW_FROBNICATE: '1' }, variables)).toEqual([
      'Clew does not read CLEW_FROBNICATE. docs/configuration.md lists every variable.',
    ])
  })

  it('is ignored if it is empty, belongs to another program, or the near one is set', () => {
    const others = {
      CLEW_TIMEZONE: ' ',
      HOME: '/root',
      REDIS_HOST: 'x',
      REDIS_PORT: '1',
      MODEL: 'x',
      PATH: '/bin',
      DATABASE_URL: 'x',
    }
    expect(unknownVariables({ ...others, CLICKHOUSE_URL: 'chdb:memory', CLICKHOUSE_USER: 'x' }, variables)).toEqual([])
  })

  it("does not include those of Clew or of the deployment's other parts", () => {
    expect(
      unknownVariables({ CLEW_MODEL_LINEAGE: 'm', CLEW_MODEL_TIMEOUT_S: '9', PORT: '1', CLEW_READER_PASSWORD: 'x' }, variables),
    ).toEqual([])
  })
})
