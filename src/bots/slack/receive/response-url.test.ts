import { describe, expect, it } from '@jest/globals'
import { keptResponseUrl } from './response-url.ts'

const PROXY = 'http://proxy.internal:8080/slack/api/'

describe('keptResponseUrl', () => {
  it.each([
    ['https://hooks.slack.com/actions/T1/2/abc', undefined],
    ['https://hooks.slack-gov.com/commands/T1/2/abc', undefined],
    ['https://hooks.slack.com/actions/T1/2/abc', PROXY],
    ['http://proxy.internal:8080/response/1', PROXY],
  ])('keeps %s with the API at %s', (url, apiUrl) => {
    expect(keptResponseUrl(url, apiUrl)).toEqual({ responseUrl: url })
  })

  it.each([
    [undefined, undefined],
    ['no address', undefined],
    ['http://hooks.slack.com/actions/1', undefined],
    ['https://hooks.slack.com:8443/actions/1', undefined],
    ['https://hooks.slack.com.evil.example/actions/1', undefined],
    ['https://hooks.slack.com@evil.example/actions/1', undefined],
    ['https://user@hooks.slack.com/actions/1', undefined],
    ['https://slack.com/actions/1', undefined],
    ['http://169.254.169.254/latest/meta-data', PROXY],
    ['http://proxy.internal/response/1', PROXY],
    ['https://proxy.internal:8080/response/1', PROXY],
  ])('drops %s with the API at %s', (url, apiUrl) => {
    expect(keptResponseUrl(url, apiUrl)).toEqual({})
  })
})
