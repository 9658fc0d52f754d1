import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { keepReport } from '../../src/evals/stored-reports.ts'
import { startDataWorld, VERIFIED } from './data-world.ts'

const signal = AbortSignal.timeout(600_000)
let world: Awaited<ReturnType<typeof startDataWorld>>
let definer: Awaited<ReturnType<typeof world.signedIn>>
let asker: typeof definer

/** Returns the verified queries, as a client sees them. */
async function verified(client = definer) {
  const { json } = await client('GET domain')
  return json.definitions.filter(({ kind }: { kind: string }) => kind === 'verified')
}

beforeAll(async () => {
  world = await startDataWorld(signal)
  definer = await world.signedIn('terminal/ann', 'definer')
  asker = await world.signedIn('terminal/bo', 'asker')
}, 120_000)
afterAll(() => world?.close())
beforeEach(() => writeFile(world.file('verified-queries.yaml'), VERIFIED))

/** Rates an answer with one query as helpful. The answer stands in a channel, or in a direct conversation. */
async function propose(runId: string, sql: string, isOpen = true) {
  const question = `How many orders are open (${runId})?`
  const of = { person: 'slack/U1', channel: 'slack/C1', sources: [], models: [], isOpen }
  const by = { platform: 'slack', workspace: 'T1', user: 'U1', at: Date.now(), verdict: 'helpful' } as const
  await world.feedback.give({ ...by, of, runId, question, standaloneQuestion: question, sql: [sql] }, signal)
  return { id: `${runId}.1`, question, yaml: entryOf(question, sql) }
}

/** Writes an entry of the file of verified queries. */
function entryOf(question: string, sql: string, more = ''): string {
  return `- question: ${question}\n  sql: ${sql}\n  verified_by: Ann\n  verified_at: 2026-11-01\n${more}`
}

describe('sources and tables', () => {
  it('show what the viewer may read, and no values of private columns', async () => {
    const { json } = await definer('GET sources')
    expect(json).toMatchObject([{ source: 'default', table_count: 2, error: null }])
    const { json: orders } = await definer('GET table?table=shop.orders')
    expect(orders.table).toMatchObject({ database: 'shop', name: 'orders', rows: 200, sortingKey: 'id' })
    expect(orders.joins).toEqual([{ columns: ['customer_id'], to: 'shop.customers.id', found: expect.any(Number) }])
    const columns = Object.fromEntries(orders.table.columns.map((column: { name: string }) => [column.name, column]))
    expect(columns.customer_id.statistics).toMatchObject({ min: '0', max: '39' })
    expect(columns.iban).toMatchObject({ type: 'String', isPrivate: true })
    expect(columns.iban).not.toHaveProperty('statistics')
  })

  it('hide other tables, and joins that lead to them', async () => {
    expect((await asker('GET sources')).json).toMatchObject([{ tables: [{ table: 'shop.orders' }] }])
    expect((await asker('GET table?table=shop.orders')).json.joins).toEqual([])
    const { status, json } = await asker('GET table?table=shop.customers')
    expect([status, json.code]).toEqual([404, 'no_table'])
  })
})

describe('the domain pack', () => {
  it('shows each definition with its check', async () => {
    const { json } = await definer('GET domain')
    expect(json).toMatchObject({ folder: world.folder, problem: null })
    expect(json.definitions).toMatchObject([
      { kind: 'term', name: 'return', faults: ['It names shop.returns, which is not there.'] },
      { kind: 'metric', name: 'turnover', faults: [], stale: null },
      { kind: 'metric', name: 'reach' },
      { kind: 'verified', entry: { verified_by: 'Ann' }, faults: [], example_because: null, last_run: null },
    ])
  })

  it('shows no definition of a hidden table, and no folder', async () => {
    const { json } = await asker('GET domain')
    expect(json).toMatchObject({ folder: null, overview: expect.not.stringContaining('customers') })
    expect(json.definitions.map(({ name }: { name: string }) => name)).not.toContain('reach')
  })

  it('says of an invalid pack what is wrong, to those who can mend it', async () => {
    await writeFile(world.file('verified-queries.yaml'), '- question: a\n')
    expect((await definer('GET domain')).json.problem).toContain('verified-queries.yaml, line 1')
    expect((await asker('GET domain')).json.problem).toBe('The domain pack cannot be read now.')
    expect((await asker('POST verified/0123/run')).json.detail).toBe('The domain pack cannot be read now.')
  })

  it('runs a verified query as the viewer, and remembers the run', async () => {
    const [query] = await verified(asker)
    const { json } = await asker(`POST verified/${query.id}/run`)
    expect(json).toMatchObject({
      columns: [{ name: 'orders' }],
      rows: [['100']],
      last_run: { person: 'terminal/bo', rows: 1, error: null },
    })
    expect(await verified(asker)).toMatchObject([{ last_run: json.last_run }])
    // The definer has other rights, under which nobody has run it.
    expect(await verified()).toMatchObject([{ last_run: null }])
    expect((await asker('POST verified/0123/run')).status).toBe(404)
  })

  it('names what has changed below a definition, until somebody finds it right', async () => {
    const stale = async () => (await definer('GET domain')).json.definitions[1]
    expect(await stale()).toMatchObject({ faults: [], stale: null })
    await world.write('ALTER TABLE shop.orders MODIFY COLUMN amount UInt64 SETTINGS mutations_sync = 2')
    const { id, stale: found } = await stale()
    expect(found).toMatchObject({ changes: ['shop.orders.amount is UInt64 now, and was UInt32.'] })
    expect(found.changed_at).toBeGreaterThan(found.seen_at)
    expect((await asker(`POST definitions/${id}/confirm`)).status).toBe(403)
    expect((await definer(`POST definitions/${id}/confirm`)).status).toBe(204)
    expect(await stale()).toMatchObject({ stale: null })
    const narrow = await world.signedIn('terminal/cy', 'narrow')
    const { id: hidden } = (await definer('GET domain')).json.definitions[2]
    expect((await narrow(`POST definitions/${hidden}/confirm`)).status).toBe(404)
    expect((await definer('POST definitions/none/confirm')).status).toBe(404)
    await world.write('ALTER TABLE shop.orders RENAME COLUMN amount TO total SETTINGS mutations_sync = 2')
    expect(await stale()).toMatchObject({
      faults: [expect.stringContaining('amount')],
      stale: { changes: ['The column shop.orders.amount is gone.'] },
    })
    await world.write('ALTER TABLE shop.orders RENAME COLUMN total TO amount SETTINGS mutations_sync = 2')
    expect(await stale()).toMatchObject({ faults: [], stale: null })
  })

  it('names a value that has gone from the data', async () => {
    await world.write('CREATE TABLE shop.parcels (id UInt32, state String) ENGINE = MergeTree ORDER BY id')
    await world.write("INSERT INTO shop.parcels SELECT number, ['sent', 'lost'][number % 2 + 1] FROM numbers(100)")
    const sql = "SELECT count() AS parcels FROM shop.parcels WHERE state = 'lost'"
    const entry = `- question: How many parcels are lost?\n  sql: ${sql}\n  verified_by: Ann\n  verified_at: 2026-10-01\n`
    await writeFile(world.file('verified-queries.yaml'), entry)
    const statistics = async () => (await definer('GET table?table=shop.parcels')).json.table.columns[1].statistics
    expect((await statistics()).samples).toContain('lost')
    expect(await verified()).toMatchObject([{ stale: null }])
    await world.write('DROP TABLE shop.parcels SYNC')
    await world.write('CREATE TABLE shop.parcels (id UInt32, state String) ENGINE = MergeTree ORDER BY id')
    await world.write("INSERT INTO shop.parcels SELECT number, 'sent' FROM numbers(100)")
    expect((await statistics()).samples).toEqual(['sent'])
    expect((await verified())[0].stale.changes).toEqual(['No row has the value "lost" in shop.parcels.state any more.'])
  })
})

describe('proposals', () => {
  const OPEN = "SELECT count() AS orders FROM shop.orders WHERE status = 'open'"
  const written = () => readFile(world.file('verified-queries.yaml'), 'utf8')
  const open = async () => (await definer('GET proposals')).json

  it('are accepted into the file, whose text stays', async () => {
    const { id, question, yaml } = await propose('run_00000000000000a1', OPEN)
    const { proposals } = await open()
    const today = new Date().toISOString().slice(0, 10)
    expect(proposals).toMatchObject([{ id, question, person: 'slack/U1' }])
    expect(proposals[0].yaml).toContain(`verified_by: terminal/ann\n  verified_at: ${today}`)
    expect((await asker('GET proposals')).status).toBe(403)
    expect((await asker(`POST proposals/${id}/accept`, { yaml })).status).toBe(403)
    const { status, json } = await definer(`POST proposals/${id}/accept`, { yaml })
    expect([status, json.path]).toEqual([200, world.file('verified-queries.yaml')])
    // The entry is the viewer's, of today, whatever the client writes.
    const own = yaml.replace('Ann', 'terminal/ann').replace('2026-11-01', today)
    expect(await written()).toBe(`${VERIFIED}${own}`)
    expect((await open()).proposals).toEqual([])
    const { status: again, json: decided } = await definer(`POST proposals/${id}/decline`)
    expect([again, decided.detail]).toEqual([409, 'terminal/ann has accepted it already.'])
  })

  it('may be edited, and must fit the schema', async () => {
    const { id } = await propose('run_00000000000000a2', OPEN)
    const accept = (yaml: string) => definer(`POST proposals/${id}/accept`, { yaml })
    const refused = async (yaml: string) => {
      const { status, json } = await accept(yaml)
      expect(status).toBe(422)
      return json.detail
    }
    expect(await refused(entryOf('How many?', 'SELECT nothing FROM shop.orders'))).toContain('nothing')
    expect(await refused(entryOf('How many?', 'DROP TABLE shop.orders'))).toContain('SELECT')
    expect(await refused(`- question: a\n${VERIFIED}`)).toContain('line 1: sql is missing')
    expect(await refused(entryOf('&a How many?', OPEN).replace('by: Ann', 'by: *a'))).toContain('instead of an alias')
    expect((await accept(entryOf('How many?', OPEN, `#${'x'.repeat(33_000)}\n`))).status).toBe(400)
    expect(await written()).toBe(VERIFIED)
    const parameters = '  parameters: [{ name: city, type: text, column: shop.orders.city, example: Oslo }]\n'
    const sql = 'SELECT count() AS orders FROM shop.orders WHERE city = {city}'
    expect((await accept(entryOf('How many orders did {city} have?', sql, parameters))).status).toBe(200)
    expect((await verified())[1].entry).toMatchObject({
      question: 'How many orders did Oslo have?',
      template: { parameters: [{ name: 'city' }] },
    })
  })

  it('may be declined', async () => {
    const { id } = await propose('run_00000000000000a3', OPEN)
    expect((await definer(`POST proposals/${id}/decline`)).status).toBe(200)
    expect((await open()).proposals).toEqual([])
    expect(await written()).toBe(VERIFIED)
  })

  it('of a direct conversation are hidden from others', async () => {
    const { id, yaml } = await propose('run_00000000000000a4', OPEN, false)
    expect(await open()).toMatchObject({ proposals: [], hidden: 1 })
    expect((await definer(`POST proposals/${id}/accept`, { yaml })).status).toBe(404)
    const own = await world.signedIn('slack/U1', 'definer')
    expect((await own('GET proposals')).json).toMatchObject({ proposals: [{ id }], hidden: 0 })
    await own(`POST proposals/${id}/decline`)
  })

  it('about tables that the viewer may not read are hidden', async () => {
    const { id, yaml } = await propose('run_00000000000000a5', 'SELECT count() AS orders FROM shop.orders, shop.customers')
    const narrow = await world.signedIn('terminal/cy', 'narrow')
    expect((await narrow('GET proposals')).json).toMatchObject({ proposals: [], hidden: 1 })
    expect((await narrow(`POST proposals/${id}/accept`, { yaml })).status).toBe(404)
    await definer(`POST proposals/${id}/decline`)
  })

  it('are all written if several are accepted at once', async () => {
    const proposed = await Promise.all([1, 2, 3, 4, 5].map(at => propose(`run_00000000000000b${at}`, `${OPEN} AND id > ${at}`)))
    const replies = await Promise.all(proposed.map(({ id, yaml }) => definer(`POST proposals/${id}/accept`, { yaml })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const names = (await verified()).slice(1).map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(proposed.map(({ question }) => question).sort())
  })

  it('of one question with different SQL are not both written, even at once', async () => {
    const proposed = await Promise.all([1, 2, 3].map(at => propose(`run_00000000000000d${at}`, `${OPEN} AND id > ${at}`)))
    const yamls = proposed.map((_, at) => entryOf('How many orders are late?', `${OPEN} AND id > ${at}`))
    const accepts = proposed.map(({ id }, at) => definer(`POST proposals/${id}/accept`, { yaml: yamls[at] }))
    const statuses = (await Promise.all(accepts)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect((await written()).split('orders are late').length - 1).toBe(1)
    expect((await open()).proposals).toHaveLength(2)
    for (const { id } of proposed) await definer(`POST proposals/${id}/decline`)
  })

  it('are decided once, by whoever comes first', async () => {
    for (const at of [1, 2, 3, 4]) {
      const { id, yaml } = await propose(`run_00000000000000c${at}`, `${OPEN} AND id > ${at}`)
      const accepts = [1, 2].map(() => definer(`POST proposals/${id}/accept`, { yaml }))
      const declines = [1, 2].map(() => definer(`POST proposals/${id}/decline`))
      const [one, two, ...others] = (await Promise.all([...accepts, ...declines])).map(({ status }) => status)
      const statuses = [one, two, ...others]
      expect(statuses.filter(status => status === 200)).toHaveLength(1)
      expect(statuses.filter(status => status === 409)).toHaveLength(3)
      const isWritten = (await written()).split(`id > ${at}`).length - 1
      expect(isWritten).toBe(one === 200 || two === 200 ? 1 : 0)
    }
  })

  it('stay if the file cannot take them', async () => {
    const { id, yaml } = await propose('run_00000000000000a6', OPEN)
    const flow = '[{ question: a, sql: SELECT 1, verified_by: Ann, verified_at: 2026-10-01 }]\n'
    await writeFile(world.file('verified-queries.yaml'), flow)
    const { status, json } = await definer(`POST proposals/${id}/accept`, { yaml })
    expect([status, json.detail]).toEqual([409, expect.stringContaining('cannot take an entry at its end')])
    expect(await written()).toBe(flow)
    expect((await open()).proposals).toHaveLength(1)
    await definer(`POST proposals/${id}/decline`)
  })
})

describe('evals', () => {
  const group = { cases: 2, correct: 0.5, first_try: 0.5, error_free: 1, reasons: { empty: 1 } }
  const report = (at: string, right: string) => ({
    ...{ model: 'm', finished_at: at, all: group, by_tag: { joins: group }, cases_file: 'cases.jsonl' },
    cases: ['a', 'b'].map(id => {
      const correct = id === right
      return { id, question: `${id}?`, correct, reason: correct ? null : 'empty', detail: correct ? '' : 'no rows' }
    }),
  })

  it('show each report once, to those who define', async () => {
    const folder = join(world.file('evals'), 'shop', 'cases')
    await mkdir(folder, { recursive: true })
    for (const [at, right] of [
      ['2026-11-01T10:00:00.000Z', 'a'],
      ['2026-11-02T10:00:00.000Z', 'b'],
    ] as const) {
      await writeFile(join(folder, 'report.json'), JSON.stringify(report(at, right)))
      await keepReport(folder, { finished_at: at })
    }
    await writeFile(join(folder, 'a.json'), '{}')
    const { json } = await definer('GET evals')
    expect(json).toMatchObject([
      { set: 'shop/cases', finished_at: '2026-11-02T10:00:00.000Z', all: { cases: 2, correct: 0.5 } },
      { set: 'shop/cases', finished_at: '2026-11-01T10:00:00.000Z', cases: [{ id: 'a', correct: true }, { id: 'b' }] },
    ])
    expect((await asker('GET evals')).status).toBe(403)
  })
})
