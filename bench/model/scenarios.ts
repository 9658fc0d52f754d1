import { LARGE_RESULT_SQL } from '../large-result.ts'

/**
 * One kind of question, with the model's replies. `{n}` stands for a number. It makes each question different, and the answer stays the same.
 */
export interface Scenario {
  readonly id: ScenarioId
  readonly question: string
  readonly dataQuestions: readonly {
    readonly question: string
    /** The tables that each query reads. Clew's plan lists them. */
    readonly tables: readonly string[]
    readonly sql: string
    readonly explanation: string
  }[]
  /**
   * The answer with citations, with workings such as `{=B1}`, and with formulas such as `{sum(B)}`. Other programs get it without workings and
   * formulas.
   */
  readonly answer: string
  /** The result of each formula as text, for programs without formulas. */
  readonly formulas?: Readonly<Record<string, string>>
  /** True if Clew's first step answers the question by itself, without a query. */
  readonly isTalk?: boolean
}

export type ScenarioId = 'simple' | 'complex' | 'verified' | 'talk' | 'large'

/** The time at which the benchmark's data end. It is fixed, so that the figures are always the same. */
export const WORLD_ANCHOR = '2026-10-01T00:00:00Z'

/** A DateTime64 can go back to 1900, a DateTime cannot. The last questions of a long run go back more than 20,000 days. */
const SINCE = `toDateTime64('2026-10-01 00:00:00', 0, 'UTC') - INTERVAL {n} DAY`

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'simple',
    question: 'Which metros have at least three devices put up in the {n} days before 1 October 2026?',
    dataQuestions: [
      {
        question:
          'Metros with at least three devices created in the {n} days before 1 October 2026, with their number of devices',
        tables: ['dz_devices'],
        sql: `SELECT metro_code, count() AS devices FROM network.dz_devices WHERE created_at > ${SINCE} GROUP BY metro_code HAVING devices >= 3 ORDER BY devices DESC, metro_code LIMIT 100`,
        explanation: 'Counts the devices of each metro that were put up in this period, and keeps metros with three or more.',
      },
    ],
    answer:
      '{count(): word} metros have at least three devices put up in that period: fra leads with 5 devices {=B1} [Q1]. lon, nyc and tyo have 3 devices each {=B[2-4]} [Q1].',
    formulas: { '{count(): word}': 'Four' },
  },
  {
    id: 'complex',
    question: 'How did the network stand at the end of the {n} days before 1 October 2026?',
    dataQuestions: [
      {
        question: 'Number of devices by status, of those created in the {n} days before 1 October 2026',
        tables: ['dz_devices'],
        sql: `SELECT status, count() AS devices FROM network.dz_devices WHERE created_at > ${SINCE} GROUP BY status ORDER BY devices DESC, status LIMIT 100`,
        explanation: 'Counts the devices in each status.',
      },
      {
        question: 'Number of links and their capacity by status, of those created in the {n} days before 1 October 2026',
        tables: ['dz_links'],
        sql: `SELECT status, count() AS links, round(sum(bandwidth_bps) / 1e9) AS capacity_gbps FROM network.dz_links WHERE created_at > ${SINCE} GROUP BY status ORDER BY links DESC, status LIMIT 100`,
        explanation: 'Counts the links in each status, with their capacity together.',
      },
      {
        question: 'Links with the most changes of status in the {n} days before 1 October 2026',
        tables: ['dz_link_history'],
        sql: `SELECT link_code, count() AS changes FROM network.dz_link_history WHERE changed_at > ${SINCE} GROUP BY link_code ORDER BY changes DESC, link_code LIMIT 5 WITH TIES`,
        explanation: 'Ranks the links by how often their status changed.',
      },
      {
        question: 'Number of users by status, of those created in the {n} days before 1 October 2026',
        tables: ['dz_users'],
        sql: `SELECT status, count() AS users FROM network.dz_users WHERE created_at > ${SINCE} GROUP BY status ORDER BY users DESC, status LIMIT 100`,
        explanation: 'Counts the users in each status.',
      },
    ],
    answer: [
      'The network is mostly in service: 37 {=Q1.B1} devices and 56 {=Q2.B1} links are activated [Q1, Q2].',
      '',
      '### Devices and links',
      '',
      "- {count(A!='activated')} of {sum(B)} devices are not in service: one each is deleted, drained, pending, rejected and suspended [Q1].",
      '- The activated links have a capacity of 3080 Gbps {=C1} [Q2].',
      '- 3 links {=B2} are drained and 2 links {=B3} are pending [Q2].',
      '',
      '### Changes and users',
      '',
      '- The links that changed their status most often did so 4 times {=max(B)} each: ams-dz01:lon-dz01, dal-dz01:lax-dz01, dub-dz01:lon-dz02, fra-dz01:par-dz01 and fra-dz02:waw-dz01 [Q3].',
      '- 376 users {=B1} are activated, 33 users {=B2} are deleted [Q4].',
      '- 21 users {=B3} are pending, and 6 users {=B5} are rejected [Q4].',
    ].join('\n'),
    formulas: { "{count(A!='activated')}": '5', '{sum(B)}': '42' },
  },
  {
    id: 'verified',
    question: 'How many metros does each region have?',
    dataQuestions: [
      {
        question: 'Number of metros by region',
        tables: ['dz_metros'],
        sql: 'SELECT region, count() AS metros FROM network.dz_metros GROUP BY region ORDER BY metros DESC, region LIMIT 100',
        explanation: 'Counts the metros of each region.',
      },
    ],
    answer:
      'Europe has the most metros, 11 {=B1} [Q1]. North America has 8 {=B2} metros and Asia Pacific has 4 {=B3} metros [Q1].',
  },
  {
    id: 'large',
    question: 'What is the load of each place in run {n}?',
    dataQuestions: [
      {
        question: 'The load of each place in run {n}',
        tables: [],
        sql: LARGE_RESULT_SQL,
        explanation: 'Lists every place with its loads.',
      },
    ],
    answer:
      'There are {count()} places [Q1]. The highest load_1 is 9,999 {=max(A)} [Q1], and the load_3 of all places together is {sum(C)} [Q1].',
    formulas: { '{count()}': '10,000', '{sum(C)}': '149,985,000' },
  },
  {
    id: 'talk',
    question: 'Thank you, that was helpful for ticket {n}.',
    dataQuestions: [],
    answer: 'You are welcome. Ask me about devices, links or users of the network whenever you like.',
    isTalk: true,
  },
]

/**
 * Whether the model first makes a mistake in this question. It does so for numbers in the thousands that end in 7. Its first SQL then names a missing
 * column.
 */
export function isWrongAtFirst(n: number): boolean {
  return n >= 1000 && n < 10_000 && n % 10 === 7
}
