import type { Recording } from '../../src/llm/recorded-language-model.ts'

/** A question of a picture, and all that a model says on the way to its answer. The answer itself comes from Clew. */
export interface SampleQuestion {
  readonly name: 'answer' | 'table' | 'chart' | 'failure' | 'clarification' | 'lineage'
  readonly question: string
  readonly said: readonly Recording[]
}

/** Tables of the questions. Their days are fixed, so that a picture is the same on every day. */
export const SAMPLE_TABLES: readonly string[] = [
  'CREATE DATABASE network',
  "CREATE TABLE network.link_loss (measured_at DateTime('UTC'), link String, direction String, loss_pct Float64) ENGINE = MergeTree ORDER BY measured_at",
  `INSERT INTO network.link_loss
   SELECT toDateTime('2026-11-15 00:00:00', 'UTC') + 300 * number AS at, 'lon-dz01:nyc-dz01', direction,
     multiIf(at = '2026-11-17 05:50:00' AND direction = 'a_to_z', 38, at = '2026-11-17 05:35:00' AND direction = 'z_to_a', 19,
       at BETWEEN '2026-11-17 04:15:00' AND '2026-11-17 07:35:00', 2.5 + number % 7, 0)
   FROM numbers(1440) ARRAY JOIN ['a_to_z', 'z_to_a'] AS direction`,
  "CREATE TABLE network.interface_errors (measured_at DateTime('UTC'), link String, device String, interface String, errors_in UInt32) ENGINE = MergeTree ORDER BY measured_at",
  `INSERT INTO network.interface_errors
   SELECT toDateTime('2026-11-15 00:00:00', 'UTC') + 300 * number AS at, 'lon-dz01:nyc-dz01', device.1, device.2,
     if(device.1 = 'nyc-dz01' AND at BETWEEN '2026-11-17 04:15:00' AND '2026-11-17 07:35:00', 700 + 13 * (number % 10), 0)
   FROM numbers(1440) ARRAY JOIN [('lon-dz01', 'et-17'), ('nyc-dz01', 'et-24')] AS device`,
  'CREATE TABLE network.devices (device String, metro String, users UInt32) ENGINE = MergeTree ORDER BY device',
  `INSERT INTO network.devices VALUES ('ams-dz02', 'Amsterdam', 54), ('fra-dz01', 'Frankfurt', 49), ('nyc-dz01', 'New York', 41),
     ('tyo-dz02', 'Tokyo', 33), ('sin-dz01', 'Singapore', 28), ('lon-dz01', 'London', 26), ('par-dz01', 'Paris', 24),
     ('mad-dz01', 'Madrid', 23), ('osl-dz01', 'Oslo', 22), ('zrh-dz01', 'Zurich', 21), ('mia-dz01', 'Miami', 20),
     ('dal-dz01', 'Dallas', 18), ('sea-dz01', 'Seattle', 17)`,
  'CREATE TABLE network.daily_users (day Date, connected_users Nullable(UInt32)) ENGINE = MergeTree ORDER BY day',
  `INSERT INTO network.daily_users SELECT toDate('2026-11-06') + number,
     [318, 322, 329, 325, NULL, 338, 341, 347, 352, 349, 358, 363, 371, 376][number + 1] FROM numbers(14)`,
  'CREATE TABLE network.link_metrics (link String, jitter_us UInt32) ENGINE = MergeTree ORDER BY link',
  "INSERT INTO network.link_metrics VALUES ('lon-dz01:nyc-dz01', 120)",
]

interface Asked {
  readonly question: string
  readonly sql: string
  readonly explanation?: string
  readonly chart?: object
}

/** Returns the model's words of a question about data. */
function dataQuestion(
  name: SampleQuestion['name'],
  question: string,
  plan: { readonly asked?: readonly Asked[]; readonly clarification?: object },
  words = '',
): SampleQuestion {
  const { asked = [], clarification = null } = plan
  const say = (step: string, subject: string, answer: object | string) => ({
    step,
    subject,
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
  })
  const nothingElse = { standalone_question: null, catalog_request: null, table: null, reply: null }
  const questions = asked.map(each => ({ question: each.question, tables: [] }))
  return {
    name,
    question,
    said: [
      say('classify', question, { intent: 'data_analysis', ...nothingElse, language: 'en' }),
      say('decompose', question, { data_questions: questions, clarification, datasource: null, error: null }),
      ...asked.map(({ question: subject, sql, explanation = '', chart = null }) =>
        say('generate', subject, { sql, explanation, assumptions: [], deciding_assumptions: [], chart }),
      ),
      say('synthesize', question, words),
    ],
  }
}

export const SAMPLE_QUESTIONS: readonly SampleQuestion[] = [
  dataQuestion(
    'answer',
    'How high did the loss of lon-dz01:nyc-dz01 go on November 17, and which device saw errors?',
    {
      asked: [
        {
          question: 'The highest loss of each direction of lon-dz01:nyc-dz01 on 2026-11-17, with its time',
          sql: "SELECT direction, max(loss_pct) AS highest_loss_pct, argMax(measured_at, loss_pct) AS reached_at FROM network.link_loss WHERE link = 'lon-dz01:nyc-dz01' AND toDate(measured_at) = '2026-11-17' GROUP BY direction ORDER BY highest_loss_pct DESC",
          explanation: 'The highest loss of each direction of the link, with its time',
        },
        {
          question: 'The errors of the interfaces of lon-dz01:nyc-dz01 on 2026-11-17',
          sql: "SELECT device, interface, sum(errors_in) AS incoming_errors, min(measured_at) AS first_at, max(measured_at) AS last_at FROM network.interface_errors WHERE link = 'lon-dz01:nyc-dz01' AND toDate(measured_at) = '2026-11-17' AND errors_in > 0 GROUP BY device, interface",
          explanation: 'The errors that the interfaces at both ends counted',
        },
      ],
    },
    [
      'The loss of `lon-dz01:nyc-dz01` went up to **38 %** {=Q1.B1} from a to z, and the device with errors was **nyc-dz01** [Q1, Q2].',
      '- a_to_z: the highest loss was {Q1.B1} %, on November 17 at 05:50 [Q1].\n- z_to_a: the highest loss was {Q1.B2} %, on November 17 at 05:35 [Q1].\n- nyc-dz01 counted {Q2.C1} incoming errors on et-24, from 04:15 to 07:35 on November 17 [Q2].',
    ].join('\n\n'),
  ),
  dataQuestion(
    'table',
    'Which five devices have the most connected users?',
    {
      asked: [
        {
          question: 'The five devices with the most connected users',
          sql: 'SELECT device, metro, users, (SELECT sum(users) FROM network.devices) AS all_users FROM network.devices ORDER BY users DESC LIMIT 5',
          explanation: 'The five devices with the most connected users, beside the users of all devices',
        },
      ],
    },
    'ams-dz02 has the most connected users, {C1} of {D1} [Q1].\n\n{table Q1: Device = device, Metro = metro, Users = users}',
  ),
  dataQuestion(
    'chart',
    'How did the number of connected users change from November 6 to 19?',
    {
      asked: [
        {
          question: 'The connected users at the end of each day from 2026-11-06 to 2026-11-19',
          sql: "SELECT day, connected_users FROM network.daily_users WHERE day BETWEEN '2026-11-06' AND '2026-11-19' ORDER BY day",
          explanation: 'Connected users at the end of each day',
          chart: { kind: 'line', label: 'day', values: ['connected_users'], series: null },
        },
      ],
    },
    'Connected users grew from {B1} to {B14}, by {100*(B14-B1)/B1} % [Q1]. There is no figure for November 10 [Q1].',
  ),
  dataQuestion('failure', 'What is the average jitter of each link?', {
    asked: [
      { question: 'The average jitter of each link', sql: 'SELECT link, avg(jitter) FROM network.link_metrics GROUP BY link' },
    ],
  }),
  dataQuestion('clarification', 'Which link was the busiest on November 17?', {
    clarification: {
      question: 'What does "busiest" mean here?',
      choices: ['Highest mean utilisation', 'Highest peak', 'Most traffic in all'],
    },
  }),
  {
    name: 'lineage',
    question: 'lineage paid_orders why has order 3 no country?',
    // The recordings of the demo have the look at the tables before these words.
    said: [
      {
        step: 'lineage',
        subject: 'paid_orders: why has order 3 no country? (2)',
        answer: [
          'Order 3 has no country because `countries` has no row for its `country_code` `XX` [E6, E7, E8].',
          '- `orders` already has `XX` for order 3, so no step has changed it [E7].\n- `countries` holds just `DE` (Germany) and `FR` (France) [E8].',
          'Fix: add a row for `XX` to `countries`, or put the right `country_code` on order 3 in `orders` [E7, E8].',
          'FAULT: countries',
        ].join('\n\n'),
      },
    ],
  },
]
