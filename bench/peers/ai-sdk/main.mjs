// The model decides by itself which tools to call, in a loop of Vercel's AI SDK: https://ai-sdk.dev/docs/agents/building-agents
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'
import { agentPrompt } from '../common/prompts.mjs'
import { serveQuestions } from '../common/serve-questions.mjs'
import { benchHeaders, readSettings } from '../common/settings.mjs'
import { openWarehouse, resultText } from '../common/warehouse.mjs'
import { versions } from '../versions.mjs'

const settings = readSettings(process.env)
const warehouse = openWarehouse(settings.warehouseUrl)

const provider = createOpenAICompatible({
  name: 'bench',
  baseURL: settings.modelUrl,
  apiKey: settings.apiKey,
  headers: benchHeaders(settings),
})

const agent = new ToolLoopAgent({
  model: provider(settings.model),
  instructions: agentPrompt(settings.schema),
  tools: {
    run_sql: tool({
      description: 'Runs one SELECT statement in the ClickHouse warehouse and returns its rows.',
      inputSchema: z.object({ sql: z.string() }),
      execute: async ({ sql }) => resultText(await warehouse.query(sql)),
    }),
  },
})

await serveQuestions(versions['ai-sdk'], async (question, progress) => {
  const { fullStream } = await agent.stream({ prompt: question })
  let answer = ''
  for await (const part of fullStream) {
    if (part.type === 'tool-result') progress.queryReturned()
    else if (part.type === 'start-step') answer = ''
    else if (part.type === 'text-delta') {
      progress.firstWords()
      answer += part.text
    } else if (part.type === 'error') throw part.error
  }
  return answer
})
