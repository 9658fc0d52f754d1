// The model decides by itself which tools to call, in a loop of OpenAI's Agents SDK: https://openai.github.io/openai-agents-js/guides/streaming/
import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { agentPrompt } from '../common/prompts.mjs'
import { serveQuestions } from '../common/serve-questions.mjs'
import { benchHeaders, readSettings } from '../common/settings.mjs'
import { openWarehouse, resultText } from '../common/warehouse.mjs'
import { versions } from '../versions.mjs'

const settings = readSettings(process.env)
const warehouse = openWarehouse(settings.warehouseUrl)

setDefaultOpenAIClient(
  new OpenAI({ baseURL: settings.modelUrl, apiKey: settings.apiKey, defaultHeaders: benchHeaders(settings) }),
)
setOpenAIAPI('chat_completions')
// Without this line, the SDK would send traces to OpenAI's servers.
setTracingDisabled(true)

/** @typedef {{ progress: import('../common/serve-questions.mjs').Progress }} Context */

const runSql = tool({
  name: 'run_sql',
  description: 'Runs one SELECT statement in the ClickHouse warehouse and returns its rows.',
  parameters: z.object({ sql: z.string() }),
  /** @param {{ sql: string }} input @param {import('@openai/agents').RunContext<Context>} [run] */
  execute: async ({ sql }, run) => {
    const result = await warehouse.query(sql)
    // The stream reports results only when all calls of a turn have returned. So the time of the result is reported here.
    run?.context.progress.queryReturned()
    return resultText(result)
  },
})

/** @type {Agent<Context>} */
const agent = new Agent({
  name: 'Analyst',
  instructions: agentPrompt(settings.schema),
  model: settings.model,
  modelSettings: { parallelToolCalls: true },
  tools: [runSql],
})

await serveQuestions(versions['openai-agents'], async (question, progress) => {
  const result = await run(agent, question, { stream: true, context: { progress } })
  for await (const text of result.toTextStream()) {
    if (text !== '') progress.firstWords()
  }
  await result.completed
  return result.finalOutput ?? ''
})
