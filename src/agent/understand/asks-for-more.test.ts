import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { compiledEntry } from '../../base/package-files.ts'
import { asksForMore } from './asks-for-more.ts'

describe('asksForMore', () => {
  it.each([
    ['How many orders were there in June 2026?', 'How many orders were there in June 2026?'],
    [
      'Which shop sold the most?',
      'Which shop sold the most (revenue in EUR, 1 January to 30 June 2026)? Give the revenue beside it.',
    ],
    ['Wie viele Kunden gibt es in jedem Land?', 'Wie viele Kunden gibt es in jedem Land, die meisten zuerst?'],
    ['How many ordered in each of May, June and July?', 'How many customers ordered in all three of May, June and July?'],
    ['How much was sold in the past month?', 'How much was sold in the last month?'],
    ['東京の注文は何件ですか', '東京の注文は何件ですか'],
  ])('is false if nothing was added for the person: %s', (question, dataQuestion) => {
    expect(asksForMore(dataQuestion, question)).toBe(false)
  })

  it.each([
    ['a period', 'How many orders were there?', 'How many orders were there in the last 7 days?'],
    ['a period in words', 'How many new users do we have?', 'How many users joined last month?'],
    ['a number in words', 'Which shops sold most?', 'Which ten shops sold most?'],
    ['a limit', 'Which shops sold most?', 'Which 10 shops sold most?'],
    ['a name', 'How loaded is the link to London?', 'How loaded is the link lon-dz01?'],
    [
      'other figures',
      'What is the return rate?',
      'What is the return rate of each category, with the pieces that were returned, the pieces that were shipped, the value of both in euros, and beside it the rate that the same months had one year before, in percent, with its change?',
    ],
  ])('is true for %s', (_, question, dataQuestion) => {
    expect(asksForMore(dataQuestion, question)).toBe(true)
  })

  it.each(["'*'.repeat(39000)", "'я '.repeat(19500)", "'x'.repeat(39000)"])('reads %s in little memory', async text => {
    const entry = JSON.stringify(compiledEntry('test/asks-for-more'))
    const script = `const { asksForMore } = await import(${entry}); process.stdout.write(String(asksForMore(${text}, ${text})))`
    const options = ['--max-old-space-size=32', '--max-semi-space-size=1', '--input-type=module', '--eval', script]
    expect((await promisify(execFile)(process.execPath, options)).stdout).toBe('false')
  })
})
