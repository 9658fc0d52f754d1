import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { compiledEntry } from '../../base/package-files.ts'

const SCRIPT = `
  const { answerDataQuestions } = await import(${JSON.stringify(compiledEntry('test/answer-data-questions'))})
  let fail
  const ahead = { direct: null, follow: () => new Promise((_, reject) => { fail = reject }), drop() {} }
  const lost = AbortSignal.abort(new Error('another worker has it'))
  const options = { schema: {}, question: 'How many?', ahead, onRows() {} }
  await answerDataQuestions({ request: { question: 'How many?' } }, options, lost).catch(({ message }) => console.log(message))
  fail(new Error('the request was cancelled'))
  setImmediate(() => console.log('alive'))
`

it('a run that has ended before its plan is waited for does not end its process when the plan fails', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT])
  expect(stdout).toBe('another worker has it\nalive\n')
})
