import { describe, expect, it } from '@jest/globals'
import { queryReport } from '../../../test/support/query-report.ts'
import { CitationChecker } from '../citation-checker.ts'

const SHOPS = queryReport({
  id: 'Q1',
  question: 'What did each shop sell?',
  columns: [
    { name: 'shop', type: 'String' },
    { name: 'orders', type: 'UInt64' },
    { name: 'orders_2025', type: 'UInt64' },
    { name: 'orders_2026', type: 'UInt64' },
    { name: 'change', type: 'Int64' },
  ],
  rows: [
    ['Bergen', '90', '80', '97', '17'],
    ['Oslo', '60', '70', '55', '-15'],
    ['Tromsø', '30', '20', '31', '11'],
  ],
})
const MONTHS = queryReport({
  id: 'Q1',
  question: 'Orders by month',
  columns: [
    { name: 'month', type: 'Date' },
    { name: 'orders', type: 'UInt64' },
  ],
  rows: [
    ['2026-01-01', '70'],
    ['2026-02-01', '40'],
    ['2026-03-01', '90'],
  ],
})

function problems(text: string, query: ReturnType<typeof queryReport>): readonly string[] {
  const checker = new CitationChecker([query], {
    question: query.question,
    timeZone: 'UTC',
  })
  const verdict = checker.check(text)
  return verdict.kind === 'unsupported' ? verdict.problems.map(problem => problem.reason) : []
}

const USERS = queryReport({
  id: 'Q1',
  question: 'Users now and a day ago',
  columns: [
    { name: 'users_now', type: 'UInt64' },
    { name: 'users_a_day_ago', type: 'UInt64' },
    { name: 'change', type: 'Int64' },
  ],
  rows: [['376', '372', '4']],
})

describe('claims about figures with workings', () => {
  it.each([
    ['Bergen has the most orders, 90 {= max(orders)} [Q1].', 'Bergen has the fewest orders, 90 {= max(orders)} [Q1].'],
    [
      "The smallest shop is Tromsø with 30 {= orders['Tromsø']} orders [Q1].",
      "The largest shop is Tromsø with 30 {= orders['Tromsø']} orders [Q1].",
    ],
    ['The shop with the most is Bergen, 90 orders {=B1} [Q1].', 'The shop with the fewest is Bergen, 90 orders {=B1} [Q1].'],
    ['Bergen is the shop with the most orders, 90 {=B1} [Q1].', 'Bergen is the shop with the fewest orders, 90 {=B1} [Q1].'],
    [
      "Bergen has 30 {= orders['Bergen'] - orders['Oslo']} more orders than Oslo [Q1].",
      "Bergen has 30 {= orders['Bergen'] - orders['Oslo']} fewer orders than Oslo [Q1].",
    ],
    [
      "Orders of Oslo fell by 15 {= orders_2025['Oslo'] - orders_2026['Oslo']} [Q1].",
      "Orders of Oslo rose by 15 {= orders_2025['Oslo'] - orders_2026['Oslo']} [Q1].",
    ],
    ["Orders of Oslo fell by 15 {= change['Oslo']} [Q1].", "Orders of Oslo rose by 15 {= change['Oslo']} [Q1]."],
    [
      "Orders of Bergen rose from 80 {= orders_2025['Bergen']} to 97 {= orders_2026['Bergen']} [Q1].",
      "Orders of Bergen fell from 80 {= orders_2025['Bergen']} to 97 {= orders_2026['Bergen']} [Q1].",
    ],
    ['Two {= count(change > 0)} shops grew [Q1].', 'Two {= count(change > 0)} shops shrank [Q1].'],
    [
      'Two {= count(orders > 50)} shops had more than 50 orders [Q1].',
      'Two {= count(orders > 50)} shops had less than 50 orders [Q1].',
    ],
    [
      "Bergen has the most orders per 2025 order, 1.125 {= orders['Bergen'] / orders_2025['Bergen']}, Oslo the fewest, 0.86 {= orders['Oslo'] / orders_2025['Oslo']} [Q1].",
      "Bergen has the most orders per 2025 order, 1.125 {= orders['Bergen'] / orders_2025['Bergen']}, Oslo the most, 0.86 {= orders['Oslo'] / orders_2025['Oslo']} [Q1].",
    ],
    [
      "Orders of Oslo are 21 % {= 100 * (orders_2026['Oslo'] - orders_2025['Oslo']) / orders_2025['Oslo']} lower than in 2025 [Q1].",
      "Orders of Oslo are 21 % {= 100 * (orders_2026['Oslo'] - orders_2025['Oslo']) / orders_2025['Oslo']} higher than in 2025 [Q1].",
    ],
    ["Oslo lost 15 {= change['Oslo']} orders [Q1].", "Oslo gained 15 {= change['Oslo']} orders [Q1]."],
    [
      "Tromsø grew by 11 {= change['Tromsø']}, the smallest increase [Q1].",
      "Tromsø grew by 11 {= change['Tromsø']}, the smallest decrease [Q1].",
    ],
  ])('holds: %s', (right, wrong) => {
    expect(problems(right, SHOPS)).toEqual([])
    expect(problems(wrong, SHOPS)).not.toEqual([])
  })

  it.each([
    [
      'From January to February orders fell by 30 {= orders[1] - orders[2]} [Q1].',
      'From January to February orders rose by 30 {= orders[1] - orders[2]} [Q1].',
    ],
    ['In February orders fell to 40 {= orders[2]} [Q1].', 'In February orders rose to 40 {= orders[2]} [Q1].'],
  ])('%s', (right, wrong) => {
    expect(problems(right, MONTHS)).toEqual([])
    expect(problems(wrong, MONTHS)).not.toEqual([])
  })

  it('separates claims about another thing', () => {
    const text = 'Orders fell from 70 {= orders[1]} in January to 40 {= orders[2]} because the prices grew [Q1].'
    expect(problems(text, MONTHS)).toEqual([])
  })

  it.each([
    "Of these, the highest is Tromsø with 30 {= orders['Tromsø']} [Q1].",
    "Apart from Bergen and Oslo the highest is Tromsø with 30 {= orders['Tromsø']} [Q1].",
    "Oslo is not the smallest, with 60 {= orders['Oslo']} orders [Q1].",
    "Oslo lost the most, 15 {= change['Oslo']} orders [Q1].",
  ])('accepts claims that the rows leave open: %s', text => {
    expect(problems(text, SHOPS)).toEqual([])
  })

  it('reads "more than" as a difference, not as the compared value', () => {
    const now = '376 users {= users_now} are connected, 4'
    const before = 'than the 372 users {= users_a_day_ago} of a day ago [Q1].'
    expect(problems(`${now} more {= change} ${before}`, USERS)).toEqual([])
    expect(problems(`${now} {= change} users more ${before}`, USERS)).toEqual([])
  })

  it.each([
    ['did not fall: it went', []],
    ['is no longer falling: it went', []],
    ['fell', ['from 40 to 90 is a change the other way']],
  ])('ignores a negated change: %s', (words, found) => {
    const told = problems(`The number ${words} from 40 {= orders[2]} to 90 {= orders[3]} [Q1].`, MONTHS)
    expect([...new Set(told)]).toEqual(found)
  })

  it('takes no pronoun for a subject, and no infinitive for a superlative', () => {
    const ahead = "30 {= orders['Bergen'] - orders['Oslo']} ahead"
    expect(problems(`Bergen overtook Oslo: it is ${ahead} [Q1].`, SHOPS)).toEqual([])
    expect(
      problems('The number to count fell from 70 {= orders[1]} in January to 40 {= orders[2]} in February [Q1].', MONTHS),
    ).toEqual([])
  })

  it("takes no range's ends for superlatives", () => {
    expect(problems('The three largest shops range from 30 {= min(orders)} to 90 orders {= max(orders)} [Q1].', SHOPS)).toEqual(
      [],
    )
  })

  it.each([
    ['There was no outage, and orders fell'],
    ['The number of orders is not seasonal; it dropped'],
    ['Orders not only recovered but fell'],
  ])('ignores a negation of something else: %s', words => {
    const told = problems(`${words} from 40 {= orders[2]} to 90 {= orders[3]} [Q1].`, MONTHS)
    expect([...new Set(told)]).toEqual(['from 40 to 90 is a change the other way'])
  })

  it('compares losses by size', () => {
    const profits = queryReport({
      id: 'Q1',
      question: 'Profit of each shop',
      columns: [
        { name: 'shop', type: 'String' },
        { name: 'profit_eur', type: 'Int64' },
      ],
      rows: [
        ['Bergen', '-500'],
        ['Oslo', '-900'],
        ['Tromsø', '-1800'],
      ],
    })
    const deficit = "deficit, at 1800 EUR {= profit_eur['Tromsø']} [Q1]."
    expect(problems(`Tromsø had the biggest ${deficit}`, profits)).toEqual([])
    expect(problems(`Tromsø had the smallest ${deficit}`, profits)).not.toEqual([])
  })

  it('reads no time from rows without one, and ranks values, not rows', () => {
    expect(problems("Orders in Tromsø rose to 31 {= orders_2026['Tromsø']} [Q1].", SHOPS)).toEqual([])
    const rows = [30, 30, 30, 60, 90].map((orders, at) => [`shop ${at}`, String(orders)])
    const tied = queryReport({
      id: 'Q1',
      question: 'Orders of each shop',
      columns: [
        { name: 'shop', type: 'String' },
        { name: 'orders', type: 'UInt64' },
      ],
      rows,
    })
    expect(problems('The second-lowest value is 60 {= orders[4]} [Q1].', tied)).toEqual([])
  })
})
