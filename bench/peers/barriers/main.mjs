// Fixed steps, one after another, with only the openai package. Each step waits until the one before is complete.
import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { dataQuestionPrompt, resultsPrompt, stepPrompts } from '../common/prompts.mjs'
import { serveQuestions } from '../common/serve-questions.mjs'
import { benchHeaders, readSettings } from '../common/settings.mjs'
import { Classification, Draft, numbered, Plan } from '../common/steps.mjs'
import { openWarehouse, resultOrError } from '../common/warehouse.mjs'
import { versions } from '../versions.mjs'

/** @typedef {import('../common/steps.mjs').Step} Step */

const settings = readSettings(process.env)
const warehouse = openWarehouse(settings.warehouseUrl)
const prompts = stepPrompts(settings.schema)
const client = new OpenAI({ baseURL: settings.modelUrl, apiKey: settings.apiKey })

await serveQuestions(versions.barriers, async (question, progress) => {
  const classification = await askForJson('classify', question, Classification)
  if (classification.intent !== 'data_analysis') return classification.reply ?? ''

  const standalone = classification.standalone_question

  const dataQuestions = numbered(await askForJson('decompose', standalone, Plan))
  progress.plan()

  const drafts = await Promise.all(
    dataQuestions.map(dataQuestion => askForJson('generate', dataQuestionPrompt(standalone, dataQuestion.question), Draft)),
  )

  const results = await Promise.all(
    dataQuestions.map(async (dataQuestion, index) => {
      const sql = drafts[index]?.sql ?? ''
      const result = await resultOrError(warehouse, sql)
      progress.queryReturned()
      return { ...dataQuestion, sql, result }
    }),
  )

  return writeAnswer(resultsPrompt(standalone, results), progress)
})

/**
 * @template T
 * @param {Step} step
 * @param {string} content
 * @param {import('zod').ZodType<T>} schema
 * @returns {Promise<T>}
 */
async function askForJson(step, content, schema) {
  const completion = await client.chat.completions.parse(
    {
      model: settings.model,
      messages: messages(step, content),
      response_format: zodResponseFormat(schema, step),
    },
    { headers: benchHeaders(settings, step) },
  )
  const parsed = completion.choices[0]?.message.parsed
  if (parsed === undefined || parsed === null) throw new Error(`${step} returned nothing`)
  return parsed
}

/**
 * @param {string} content
 * @param {import('../common/serve-questions.mjs').Progress} progress
 */
async function writeAnswer(content, progress) {
  const stream = await client.chat.completions.create(
    { model: settings.model, messages: messages('synthesize', content), stream: true },
    { headers: benchHeaders(settings, 'synthesize') },
  )
  let answer = ''
  for await (const chunk of stream) {
    const text = chunk.choices[0]?.delta.content
    if (!text) continue
    progress.firstWords()
    answer += text
  }
  return answer
}

/**
 * @param {Step} step
 * @param {string} content
 * @returns {import('openai/resources/chat/completions').ChatCompletionMessageParam[]}
 */
function messages(step, content) {
  return [
    { role: 'system', content: prompts[step] },
    { role: 'user', content },
  ]
}
