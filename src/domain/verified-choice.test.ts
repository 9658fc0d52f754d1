import { describe, expect, it } from '@jest/globals'
import type { Schema } from '../warehouse/schema.ts'
import { type VerifiedQuery, verifiedQueryOf, verifiedQuerySchema } from './files.ts'
import { fitOf, literalChoices } from './verified-choice.ts'

const { signal } = new AbortController()
/** A Sunday at half past midnight in Berlin. In UTC it is still Saturday. */
const ASKED_AT = Date.parse('2026-11-21T23:30:00Z')

const column = (name: string, type: string, samples: readonly string[] = [], isPrivate = false) => ({
  ...{ name, type, comment: '', isPrivate },
  statistics: {
    ...{ distinct: samples.length, nullShare: 0, min: null, max: null, samples, rowsScanned: 9, exact: true },
  },
})
const SCHEMA: Schema = {
  tables: [
    {
      ...{ database: 'net', name: 'metros', engine: 'MergeTree', comment: '', primaryKey: '', sortingKey: '', partitionKey: '' },
      ...{ rows: 9, viewDefinition: '' },
      columns: [
        column('name', 'String', ['Amsterdam', 'Frankfurt', 'New York', 'The Hague', "L'Aquila", 'oslo', 'Oslo', 'OSLO']),
        column('code', 'LowCardinality(String)'),
        column('slow', 'String'),
        column('status', "Enum8('up' = 1, 'down' = 2)"),
        column('secret', 'String', ['Amsterdam'], true),
        column('size', 'UInt32'),
      ],
    },
  ],
  databases: [],
  ...{ serverVersion: '26.7', timeZone: 'UTC', fetchedAt: '' },
}

const metro = { name: 'metro', type: 'text', example: 'Amsterdam', column: 'net.metros.name' }
const queries = {
  connected: verified('How many validators are connected in {metro}?', 'SELECT {metro}', metro),
  loss: verified('Which links lost packets in the last {hours} hours?', 'SELECT {hours}', {
    ...{ name: 'hours', type: 'number', example: 24, min: 1, max: 720 },
  }),
  orders: verified('How many orders were there in {month}?', 'SELECT {month.from}, {month.to}', {
    ...{ name: 'month', type: 'period', example: 'March 2026' },
  }),
  spent: verified('What was spent in {month}?', 'SELECT {month.from}, {month.to}', {
    ...{ name: 'month', type: 'period', example: 'March 2026' },
  }),
  received: verified('Orders received {when}', 'SELECT {when.from}, {when.to}', {
    ...{ name: 'when', type: 'period', example: 'March 2026' },
  }),
  revenue: verified('What is the revenue by month?', 'SELECT 1'),
  sold: verified('How many orders did the customer place?', 'SELECT 2'),
  customers: verified('How many orders did customers place?', 'SELECT 3'),
  links: verified('How many links are there?', 'SELECT 4'),
  mean: verified('What is the mean latency per link?', 'SELECT 5'),
  dated: verified('How many users joined in 2026?', "SELECT '2026-01-01', '2027-01-01'"),
  yesterday: verified('How many users joined yesterday?', "SELECT '2026-10-01'"),
  march: verified('How many users joined in March?', 'SELECT toYYYYMM(day) = 202603'),
  unix: verified('How many users joined since the start?', 'SELECT 1772323200'),
  top: verified('Top {n} links by loss between {a} and {b}', 'SELECT {n}, {a}, {b}', [
    { name: 'n', type: 'number', example: 5 },
    { ...metro, name: 'a' },
    { ...metro, name: 'b', example: 'Frankfurt' },
  ]),
  code: verified('Which links end in {code}?', 'SELECT {code}', {
    ...{ name: 'code', type: 'text', example: 'ams', column: 'net.metros.code' },
  }),
  status: verified('How many links are {state} now?', 'SELECT {state}', {
    ...{ name: 'state', type: 'text', example: 'working', values: { working: 'activated', drained: 'soft-drained' } },
  }),
  hidden: verified('Who pays for {metro} at night?', 'SELECT {metro}', { ...metro, column: 'net.metros.secret' }),
  sized: verified('Who pays for size {size} at night?', 'SELECT {size}', {
    ...{ name: 'size', type: 'text', example: '5', column: 'net.metros.size' },
  }),
  william: verified('How many orders did William place?', 'SELECT 20'),
  mine: verified('How many tickets are assigned to me?', 'SELECT 21'),
  best: verified('Which product sold best?', 'SELECT 22 ORDER BY 1 LIMIT 1'),
  worst: verified('Which products sold worst?', 'SELECT 23 ORDER BY 1 LIMIT 10'),
  versus: verified('How does this month compare with March 2026?', "SELECT '2026-10-01', '2026-03-01'"),
  latest: verified('Who joined last in 2026?', "SELECT max(day) WHERE day >= '2026-01-01' AND day < '2027-01-01'"),
  kept: verified('Which links are in {metro} or like it?', `SELECT '{metro}', "{metro}", {metro} -- {metro}`, metro),
} satisfies Readonly<Record<string, VerifiedQuery>>

function verified(question: string, sql: string, parameters: object | readonly object[] = []): VerifiedQuery {
  const entry = { question, sql, parameters: [parameters].flat(), verified_by: 'Ann', verified_at: '2026-10-01' }
  return verifiedQueryOf(verifiedQuerySchema.parse(entry))
}

/** Codes that rows of the warehouse contain, but that are missing from the samples in the schema. */
const STORED = ['ams-dz1', 'fra-dz1', 'FRA-DZ1']
const reads: unknown[] = []
const warehouse = {
  async read({ parameters, sql }: { readonly parameters?: { readonly text?: unknown }; readonly sql: string }) {
    reads.push(sql)
    if (sql.includes('`slow`')) throw new Error('too slow')
    const rows = STORED.filter(text => text.toLowerCase() === parameters?.text).map(text => [text])
    return { columns: [], rows, truncated: false, elapsedMs: 1, queryId: 'q', rowsRead: 0, bytesRead: 0 }
  },
}

const sources = { schema: SCHEMA, warehouse, clock: { now: ASKED_AT, timeZone: 'Europe/Berlin' }, timeLimitMs: 100 }

async function sqlFor(message: string, isFollowUp = false): Promise<string | null> {
  const choices = literalChoices(message, Object.values(queries), isFollowUp)
  return (await fitOf(choices, sources, signal))?.sql ?? null
}

const day = (text: string) => `toDateTime('${text} 00:00:00', 'Europe/Berlin')`
const days = (from: string, to: string) => `SELECT ${day(from)}, ${day(to)}`
const seconds = (back: number) => {
  const now = ASKED_AT / 1000
  return `SELECT toDateTime(${now - back}, 'Europe/Berlin'), toDateTime(${now}, 'Europe/Berlin')`
}

describe('a message', () => {
  it.each([
    ['How many validators are connected in Amsterdam?', "SELECT 'Amsterdam'"],
    ['how many validators are connected in frankfurt', "SELECT 'Frankfurt'"],
    ['  HOW  MANY\nvalidators are connected in FRANKFURT ?!', "SELECT 'Frankfurt'"],
    ['Please, how many validators are connected in “Frankfurt”, thank you!', null],
    ['Hi Clew, can you please tell me how many validators are connected in Frankfurt?', null],
    ['How many of validators are connected in Frankfurt?', null],
    ['How many validator are connected in New  York?', null],
    ['How many validators are connected in The Hague?', "SELECT 'The Hague'"],
    ['How many validators are connected in Hague?', null],
    ['How many validators are connected in the Frankfurt?', null],
    ["How many validators are connected in L'Aquila?", "SELECT 'L\\'Aquila'"],
    ['How many validators are connected in Oslo?', "SELECT 'Oslo'"],
    ['How many validators are connected in oSlo?', null],
    ['How many validators are connected in Berlin?', null],
    ["How many validators are connected in Amsterdam' OR 1=1 --?", null],
    ['How many validators are connected in Amsterdam or Frankfurt?', null],
    ['How many validators are connected in Amsterdam, Frankfurt?', null],
    ['How many validators are connected in Amsterdam today?', null],
    ['How many validators are connected in Amsterdam (not Frankfurt)?', null],
    ['How many validators are connected in {metro}?', null],
    ['How many validators are connected in ~Amsterdam~?', null],
    ['How many validators are connected?', null],
    ['How many validators are not connected in Amsterdam?', null],
    ["How many validators aren't connected in Amsterdam?", null],
    ['How many validators are disconnected in Amsterdam?', null],
    ['How many validators were connected in Amsterdam?', null],
    ['How many validators are connected to Amsterdam?', null],
    ['How many validators are connected outside Amsterdam?', null],
    ['How many users are connected in Amsterdam?', null],
    ['How much stake of validators is connected in Amsterdam?', null],
    ['How many validators are connected in Amsterdam? And in Frankfurt?', null],
    ['And how many validators are connected in Amsterdam?', null],
    ['How many validators are connected in Amsterdam and why?', null],
    ["Don't tell me how many validators are connected in Amsterdam", null],
    ['validators connected in Amsterdam', null],
    ['In Amsterdam how many validators are connected?', null],
    ['', null],
    ['Thanks!', null],
  ])('with %j asks for %j', async (message, sql) => {
    expect(await sqlFor(message)).toBe(sql)
  })

  it.each([
    ['Which links lost packets in the last 24 hours?', 'SELECT 24'],
    ['which link lost packets in the last 1 hour', null],
    ['Which links lost packets in the last 1.5 hours?', 'SELECT 1.5'],
    ['Which links lost packets in the last 007 hours?', 'SELECT 7'],
    ['Which links lost packets in the last 1.500 hours?', null],
    ['Which links lost packets in the last 1,5 hours?', null],
    ['Which links lost packets in the last -24 hours?', null],
    ['Which links lost packets in the last 0 hours?', null],
    ['Which links lost packets in the last 721 hours?', null],
    ['Which links lost packets in the last 1e1 hours?', null],
    ['Which links lost packets in the last 24% hours?', null],
    ['Which links lost packets in the last ٢٤ hours?', null],
    ['Which links lost packets in the last two hours?', null],
    ['Which links lost packets in the last hour?', null],
    ['Which links lost packets in the last 24 days?', null],
    ['Which links lost packets in the first 24 hours?', null],
    ['Which links lost no packets in the last 24 hours?', null],
    ['Which links lost packets in the last 24 or 48 hours?', null],
  ])('with a number, %j, asks for %j', async (message, sql) => {
    expect(await sqlFor(message)).toBe(sql)
  })

  it.each([
    ['March 2026', days('2026-03-01', '2026-04-01')],
    ['Dec 2025', days('2025-12-01', '2026-01-01')],
    ['2024-02', days('2024-02-01', '2024-03-01')],
    ['2024-02-29', days('2024-02-29', '2024-03-01')],
    ['2025-02-29', null],
    ['2025-13', null],
    ['2025', days('2025-01-01', '2026-01-01')],
    ['1970', null],
    ['Q4 2025', days('2025-10-01', '2026-01-01')],
    ['Q5 2025', null],
    ['in 2025', null],
    ['March', null],
    ['before March 2026', null],
    ['today', days('2026-11-22', '2026-11-23')],
    ['Yesterday', days('2026-11-21', '2026-11-22')],
    ['this week', days('2026-11-16', '2026-11-23')],
    ['last week', days('2026-11-09', '2026-11-16')],
    ['last month', days('2026-10-01', '2026-11-01')],
    ['last months', null],
    ['last quarter', days('2026-07-01', '2026-10-01')],
    ['this year', days('2026-01-01', '2027-01-01')],
    ['this day', null],
    ['this hour', null],
    ['the last 24 hours', seconds(86_400)],
    ['last 2 weeks', seconds(14 * 86_400)],
    ['past hour', seconds(3_600)],
    ['last 0 days', null],
    ['last 10001 days', null],
    ['the past week', null],
    ['the last day', null],
    ['the last month', null],
    ['not in 2025', null],
    ['next month', null],
    ['constructor', null],
  ])('with the period %j asks for %j', async (period, sql) => {
    expect(await sqlFor(`Orders received ${period}`)).toBe(sql)
  })

  it.each([
    ["What's revenue by months", null],
    ["What's the revenue by month", null],
    ['What was the revenue by month?', null],
    ['How many orders did the customer place?', 'SELECT 2'],
    ['How many orders did customers place?', 'SELECT 3'],
    ['How many orders did customer place?', null],
    ['What is the mean latency per link?', 'SELECT 5'],
    ['What is the means latency per link?', null],
    ['What is the max latency per link?', null],
    ['How many users joined in 2026?', "SELECT '2026-01-01', '2027-01-01'"],
    ['How many users joined yesterday?', null],
    ['How many users joined in March?', null],
    ['How many users joined since the start?', null],
    ['Top 10 links by loss between Frankfurt and New York', "SELECT 10, 'Frankfurt', 'New York'"],
    ['Bottom 10 links by loss between Frankfurt and New York', null],
    ['Which links end in ams-dz1?', "SELECT 'ams-dz1'"],
    ['Which links end in AMS-DZ1?', "SELECT 'ams-dz1'"],
    ['Which links end in Fra-dz1?', null],
    ['Which links end in fra-dz1?', "SELECT 'fra-dz1'"],
    ['Which links end in lon-dz1?', null],
    ['How many links are working now?', "SELECT 'activated'"],
    ['How many links are Drained now?', "SELECT 'soft-drained'"],
    ['How many links are activated now?', null],
    ['How many links are working?', null],
    ['Who pays for Amsterdam at night?', null],
    ['Who pays for size 5 at night?', null],
    ['How many orders did William place?', 'SELECT 20'],
    ['How many orders did Williams place?', null],
    ['How many orders did williams place?', null],
    ['How many tickets are assigned to me?', null],
    ['Which product sold best?', 'SELECT 22 ORDER BY 1 LIMIT 1'],
    ['Which products sold best?', null],
    ['Which product sold worst?', null],
    ['How does this month compare with March 2026?', null],
    ['Who joined last in 2026?', "SELECT max(day) WHERE day >= '2026-01-01' AND day < '2027-01-01'"],
    ['Which links are in Frankfurt or like it?', `SELECT '{metro}', "{metro}", 'Frankfurt' -- {metro}`],
  ])('in other words, %j, asks for %j', async (message, sql) => {
    expect(await sqlFor(message)).toBe(sql)
  })

  it.each([
    ['How many validators are connected in frankfurt?', "SELECT 'Frankfurt'"],
    ['Thanks! How many validators are connected in frankfurt?', null],
    ['How many validator are connected in Frankfurt?', null],
    ['How many of the validators are connected in Frankfurt?', null],
    ['What is the revenue by month?', 'SELECT 1'],
    ['What is revenue by month?', null],
    ['How many links are there?', null],
    ['And which links lost packets in the last 24 hours?', null],
    ['Which links lost packets in the last 1 hour, please?', null],
    ['Which links are in it or like it?', null],
    ['How many orders were there this month?', null],
    ['What was spent this month?', null],
    ['What was spent in the last 24 hours?', seconds(86_400)],
    ['What was spent in the last 1 hour?', seconds(3_600)],
    ['What was spent in that month?', null],
    ['What was spent then?', null],
    ['What was spent in the last month?', null],
    ['What was spent last month?', null],
  ])('after others, %j, asks for %j', async (message, sql) => {
    expect(await sqlFor(message, true)).toBe(sql)
  })

  it('fits nothing if two different verified queries have its text', async () => {
    const [one, other] = [verified('How many are left?', 'SELECT 1'), verified('how many are left', 'SELECT 2')]
    const fitAmong = (...known: readonly VerifiedQuery[]) =>
      fitOf(literalChoices('How many are left?', known, false), sources, signal)
    expect(await fitAmong(one, other)).toBeNull()
    expect(await fitAmong(one, { ...one, verified_by: 'Bo' })).toMatchObject({ sql: 'SELECT 1' })
  })

  it('fits nothing if a look-up for another query takes too long', async () => {
    const named = { name: 'name', type: 'text', example: 'Amsterdam' }
    const city = verified('How many are left of {name}?', 'SELECT {name}', { ...named, values: ['Amsterdam', 'Berlin'] })
    const slow = verified('How many are left of {name}?', 'SELECT 1, {name}', { ...named, column: 'net.metros.slow' })
    const fits = (...known: readonly VerifiedQuery[]) =>
      fitOf(literalChoices('How many are left of Berlin?', known, false), sources, signal)
    expect(await fits(city)).toMatchObject({ sql: "SELECT 'Berlin'" })
    expect(await fits(city, slow)).toBeNull()
  })

  it('prefers the spelling of a sample, and otherwise the stored value', async () => {
    const [table, column] = [SCHEMA.tables[0], SCHEMA.tables[0]?.columns.find(({ name }) => name === 'code')]
    if (table === undefined || column?.statistics === undefined) throw new Error('no such column')
    const sampled = { ...column, statistics: { ...column.statistics, samples: ['fra-dz1'], exact: false } }
    const schema = { ...SCHEMA, tables: [{ ...table, columns: [sampled] }] }
    const sqlOf = async (message: string) =>
      (await fitOf(literalChoices(message, [queries.code], false), { ...sources, schema }, signal))?.sql
    expect(await sqlOf('Which links end in fra-dz1?')).toBe("SELECT 'fra-dz1'")
    expect(await sqlOf('Which links end in Fra-dz1?')).toBeUndefined()
    expect(await sqlOf('Which links end in AMS-dz1?')).toBe("SELECT 'ams-dz1'")
  })

  it('asks the warehouse only if its words fit', async () => {
    reads.length = 0
    await sqlFor('Which links begin in ams-dz1?')
    expect(reads).toEqual([])
  })
})

describe('values that a model has read from a message', () => {
  it.each([
    ['loss', { hours: '24' }, 'SELECT 24'],
    ['loss', { hours: '721' }, null],
    ['loss', { hours: '24 OR 1=1' }, null],
    ['loss', {}, null],
    ['loss', { hours: '24', days: '1' }, null],
    ['connected', { metro: ' frankfurt ' }, "SELECT 'Frankfurt'"],
    ['connected', { metro: 'Berlin' }, null],
    ['connected', { metro: '' }, null],
    ['orders', { month: 'last week' }, days('2026-11-09', '2026-11-16')],
    ['orders', { month: '2026-03-01/2026-04-01' }, null],
    ['revenue', {}, 'SELECT 1'],
  ] as const)('of %s, %j, are held against those that exist: %j', async (name, values, sql) => {
    const choice = { query: queries[name], values: new Map(Object.entries(values)), isLiteral: false }
    expect((await fitOf([choice], sources, signal))?.sql ?? null).toBe(sql)
  })

  it('are shown in the verified question', async () => {
    const choice = { query: queries.connected, values: new Map([['metro', 'the hague']]), isLiteral: false }
    const reading = 'How many validators are connected in The Hague?'
    expect(await fitOf([choice], sources, signal)).toMatchObject({ reading, parameters: [{ name: 'metro', value: 'The Hague' }] })
  })
})

describe('the parameters of a verified query', () => {
  it('have examples, which make the query an ordinary one', () => {
    expect(queries.top).toMatchObject({
      question: 'Top 5 links by loss between Amsterdam and Frankfurt',
      sql: "SELECT 5, 'Amsterdam', 'Frankfurt'",
    })
    expect(queries.orders.sql).toBe("SELECT toDateTime('2026-03-01 00:00:00', 'UTC'), toDateTime('2026-04-01 00:00:00', 'UTC')")
    expect(queries.status).toMatchObject({ question: 'How many links are working now?', sql: "SELECT 'activated'" })
  })

  const number = { name: 'n', type: 'number', example: 5 }
  it.each([
    ['Top {n} of {m} links', 'SELECT {n}', number, /\{m\} is no parameter/],
    ['Top {n} links', 'SELECT {n}, {m}', number, /\{m\} is no parameter/],
    ['Top {n} links', "SELECT '{n}'", number, /\{n\} must stand in the SQL, outside of quotes/],
    ['Top {n} links of {n}', 'SELECT {n}', number, /\{n\} must stand in the question once/],
    ['Links {n}', 'SELECT {n}', number, /fewer than two words/],
    ['Top {n} links', 'SELECT {n}', { ...number, max: 3 }, /example that is none/],
    ['Top {n} links', 'SELECT {n}', { ...number, example: 0.125 }, /example that is none/],
    ['Top {n} links', 'SELECT {n}', [number, number], /n is there twice/],
    ['Top {n} {m} links', 'SELECT {n}, {m}', [number, { ...number, name: 'm' }], /\{m\} has no word between/],
    ['Links in the {n}', 'SELECT {n.from}', { ...number, type: 'period', example: '2026' }, /\{n\.to\} must stand in the SQL/],
    ['Links in the {n}', 'SELECT {n.from}, {n.to}', { ...number, type: 'period', example: 'last month' }, /example that is none/],
    ['Links in the {n}', 'SELECT {n}', { ...number, type: 'text', example: 'x' }, /needs a column or a list/],
    ['Links in the {n}', 'SELECT {n}', { ...number, type: 'text', example: 'x', values: ['y'] }, /example that is none/],
    ['Top {N} links', 'SELECT {N}', { ...number, name: 'N' }, /small letters/],
  ])('are refused: %j, %j', (question, sql, parameters, message) => {
    expect(() => verified(question, sql, parameters)).toThrow(message)
  })
})
