// The steps of ../barriers as a LangGraph.js graph, after its orchestrator and workers:
// https://docs.langchain.com/oss/javascript/langgraph/workflows-agents
import { END, ReducedValue, Send, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
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

const classifier = chatModel('classify').withStructuredOutput(Classification)
const planner = chatModel('decompose').withStructuredOutput(Plan)
const sqlWriter = chatModel('generate').withStructuredOutput(Draft)
const answerWriter = chatModel('synthesize')

const DataQuestion = z.object({ id: z.string(), question: z.string() })
const Result = DataQuestion.extend({ sql: z.string(), result: z.string() })

const State = new StateSchema({
  question: z.string(),
  intent: z.string(),
  answer: z.string(),
  dataQuestions: z.array(DataQuestion),
  results: new ReducedValue(
    z.array(Result).default(() => []),
    { reducer: (known, more) => known.concat(more) },
  ),
})

const graph = new StateGraph(State)
  .addNode('classify', async ({ question }) => {
    const { intent, standalone_question: standalone, reply } = await classifier.invoke(messages('classify', question))
    return { intent, question: standalone, answer: reply ?? '' }
  })
  .addNode('decompose', async ({ question }) => ({
    dataQuestions: numbered(await planner.invoke(messages('decompose', question))),
  }))
  // Writing the SQL and running it are a single node of the graph. With two nodes, each query would wait until all SQL is written.
  .addNode(
    'answer_data_question',
    async ({ question, dataQuestion }) => {
      const { sql } = await sqlWriter.invoke(messages('generate', dataQuestionPrompt(question, dataQuestion.question)))
      return { results: [{ ...dataQuestion, sql, result: await resultOrError(warehouse, sql) }] }
    },
    { input: new StateSchema({ question: z.string(), dataQuestion: DataQuestion }) },
  )
  // The text is streamed by the writer. The stream mode `messages` (or streamEvents) would take more time for the same result.
  .addNode('synthesize', async ({ question, results }, { writer }) => {
    let answer = ''
    for await (const { text } of await answerWriter.stream(messages('synthesize', resultsPrompt(question, results)))) {
      writer?.(text)
      answer += text
    }
    return { answer }
  })
  .addEdge(START, 'classify')
  .addConditionalEdges('classify', ({ intent }) => (intent === 'data_analysis' ? 'decompose' : END), ['decompose', END])
  .addConditionalEdges(
    'decompose',
    ({ question, dataQuestions }) =>
      dataQuestions.map(dataQuestion => new Send('answer_data_question', { question, dataQuestion })),
    ['answer_data_question'],
  )
  .addEdge('answer_data_question', 'synthesize')
  .addEdge('synthesize', END)
  .compile()

await serveQuestions(versions.langgraph, async (question, progress) => {
  let answer = ''
  for await (const [mode, chunk] of await graph.stream({ question }, { streamMode: ['updates', 'custom'] })) {
    if (mode === 'custom') {
      if (chunk !== '') progress.firstWords()
    } else if ('decompose' in chunk) progress.plan()
    else if ('answer_data_question' in chunk) progress.queryReturned()
    else answer = chunk.synthesize?.answer ?? chunk.classify?.answer ?? answer
  }
  return answer
})

/** @param {Step} step */
function chatModel(step) {
  return new ChatOpenAI({
    model: settings.model,
    apiKey: settings.apiKey,
    configuration: { baseURL: settings.modelUrl, defaultHeaders: benchHeaders(settings, step) },
  })
}

/**
 * @param {Step} step
 * @param {string} content
 * @returns {[string, string][]}
 */
function messages(step, content) {
  return [
    ['system', prompts[step]],
    ['user', content],
  ]
}
