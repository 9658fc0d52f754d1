import { type Interrupt, interruptMarkdown } from '../../src/agent/ask-back/interrupt.ts'
import { buildChart } from '../../src/agent/chart/build-chart.ts'
import type { QueryReport } from '../../src/agent/run/result.ts'
import { failureAnswer } from '../../src/agent/write/failure-answer.ts'
import { answerActions, chooseActions } from '../../src/bots/actions/answer-actions.ts'
import type { Answer } from '../../src/chat/reply.ts'
import { queryReport } from '../support/query-report.ts'
import { columnOf, schemaOf, tableOf } from '../support/schema-fixture.ts'
import { SMALL_GRAPH } from './sample-graphs.ts'

/** A question and Clew's answer, for a picture in the documents. */
export interface Sample {
  readonly name: 'answer' | 'table' | 'chart' | 'failure' | 'clarification' | 'lineage'
  readonly question: string
  readonly reply: Answer
}

const RUN = 'run_sample'

function answer(markdown: string, footer: string, queries: readonly QueryReport[], more: Partial<Answer> = {}): Answer {
  const isFailure = queries.every(query => query.error !== null)
  const figures = isFailure ? [] : [{ text: '38 %', query: 'Q1', value: 38, formula: null, cells: [] }]
  return {
    kind: 'answer',
    markdown,
    footer,
    actions: answerActions({ runId: RUN, queries: [...queries], figures, isFailure, isPrivate: false, language: 'en' }),
    ...more,
  }
}

const typical: Sample = {
  name: 'answer',
  question: 'How high did the loss of lon-dz01:nyc-dz01 go in the last three days, and which device saw errors?',
  reply: answer(
    [
      'The loss of `lon-dz01:nyc-dz01` went up to **38 %** in direction a_to_z, and the device with errors was **nyc-dz01** [Q1, Q2].',
      '- a_to_z: the highest loss of a five-minute interval was 38 %, first reached 51.8 hours ago [Q1].\n- z_to_a: the highest loss was 19 %, first reached 52.1 hours ago [Q1].\n- nyc-dz01 had 30,847 in errors on et-24, from 53.4 to 50 hours ago [Q2].',
    ].join('\n\n'),
    '**Confidence MEDIUM:** the period was taken as the last 72 hours, intervals while the link was drained included\n\n- [Q1] The highest loss of each direction of the link, with its time (2 rows)\n- [Q2] Errors and discards of the interfaces at both ends (2 rows)',
    [queryReport({ rows: [['a_to_z', 38]] }), queryReport({ id: 'Q2', rows: [['nyc-dz01', 30_847]] })],
  ),
}

const table: Sample = {
  name: 'table',
  question: 'Which five devices have the most connected users?',
  reply: answer(
    [
      'ams-dz02 has the most connected users, 54 of 376 [Q1].',
      '| Device | Metro | Users |\n|---|---|--:|\n| ams-dz02 | Amsterdam | 54 |\n| fra-dz01 | Frankfurt | 49 |\n| nyc-dz01 | New York | 41 |\n| tyo-dz02 | Tokyo | 33 |\n| sin-dz01 | Singapore | 28 |',
    ].join('\n\n'),
    '- [Q1] Counts connected users per device, the five highest (5 rows)',
    [queryReport({ rows: [['ams-dz02', 'Amsterdam', 54]] })],
  ),
}

const days = Array.from({ length: 14 }, (_, day) => `2026-11-${String(day + 6).padStart(2, '0')}`)
const users = [318, 322, 329, 325, null, 338, 341, 347, 352, 349, 358, 363, 371, 376]
const daily = queryReport({
  columns: [
    { name: 'day', type: 'Date' },
    { name: 'connected_users', type: 'Nullable(UInt64)' },
  ],
  rows: days.map((day, index) => [day, users[index] ?? null]),
  chart: { kind: 'line', label: 'day', values: ['connected_users'], series: null },
})
const dailyChart = buildChart(daily, { server: 'UTC', asker: 'UTC' })

const chart: Sample = {
  name: 'chart',
  question: 'How did the number of connected users change over the last two weeks?',
  reply: answer(
    'Connected users grew from 318 to 376 in two weeks, by 18.2 % [Q1]. There is no snapshot of November 10 [Q1].',
    '- [Q1] Connected users at the end of each day of the last two weeks (14 rows)',
    [daily],
    dailyChart === null ? {} : { chart: dailyChart },
  ),
}

const failed = queryReport({
  question: 'The average jitter of each link.',
  error: 'There is no column jitter.',
  failed_attempts: [
    {
      sql: 'SELECT link, avg(jitter) FROM network.link_metrics GROUP BY link',
      kind: 'unknown_name',
      message: 'There is no column jitter in network.link_metrics; near: jitter_us.',
      near: ['network.link_metrics.jitter_us'],
      unknown_column: 'jitter',
    },
  ],
})
const metrics = tableOf('link_metrics', {
  database: 'network',
  columns: [columnOf('link', 'String'), columnOf('jitter_us', 'UInt32')],
})

const failure: Sample = {
  name: 'failure',
  question: 'What is the average jitter of each link?',
  reply: answer(failureAnswer([failed], schemaOf(metrics), 'en'), '', [failed]),
}

const interrupt: Interrupt = {
  kind: 'need_clarification',
  question: 'What does "busiest" mean here?',
  choices: ['Highest mean utilisation', 'Highest peak', 'Most traffic in all'].map(label => ({ value: label, label })),
}

const clarification: Sample = {
  name: 'clarification',
  question: 'Which link was the busiest yesterday?',
  reply: { kind: 'answer', markdown: interruptMarkdown(interrupt), actions: chooseActions(RUN, interrupt) },
}

const lineage: Sample = {
  name: 'lineage',
  question: 'lineage paid_orders why has order 3 no country?',
  reply: {
    ...answer(
      [
        'Order 3 has no country because `countries` has no row for its code `XX` [E1, E2].',
        '- Order 3 came with the code `XX` [E1].\n- `countries` has 2 rows, and none with the code `XX` [E2].',
        'Add `XX` to the source of `countries`, or correct the order.',
      ].join('\n\n'),
      '- [E1] rows of orders (1 row)\n- [E2] rows of countries (2 rows)',
      [queryReport({ id: 'E1', rows: [[3, 'XX']] }), queryReport({ id: 'E2', rows: [['DE'], ['FR']] })],
    ),
    chart: SMALL_GRAPH,
  },
}

export const SAMPLES: readonly Sample[] = [typical, table, chart, failure, clarification, lineage]
