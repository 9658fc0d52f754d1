import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestEngine } from '../../../test/support/engine.ts'
import { runClew } from '../../../test/support/run-clew.ts'
import { createLogger } from '../../base/logger.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from '../../clickhouse/engine/open-embedded-engine.ts'
import { openWarehouseOn } from '../../clickhouse/open-warehouse.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const CITIES = 'id,city,postcode,opened\n1,Bonn,00531,2024-01-02\n2,"Köln, am Rhein",50667,\n'

let folder: string
/** The folder with the data that most tests share. */
let data: string
/** An engine that stays open from command to command. Otherwise every command would start one. */
let engine: EmbeddedEngine
let warehouse: Warehouse

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'clew-load-data-'))
  engine = await openEmbeddedEngine({ directory: data }, AbortSignal.timeout(60_000))
  const logger = createLogger({ level: 'silent' })
  warehouse = await openWarehouseOn(engine, { database: 'default', maxBytes: 1_000_000, timeoutMs: 60_000, logger })
})
afterAll(async () => {
  await warehouse?.close()
  await engine?.close()
  await rm(data, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-load-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs `clew` in the test's own folder, but on the data that all tests share. */
const clew = (...args: string[]) => runClew(args, { CLICKHOUSE_URL: `chdb:${data}` }, { cwd: folder })
/** Runs `clew` in the test's own folder. Without CLICKHOUSE_URL, its data are in that folder too. */
const clewOfFolder = (...args: string[]) => runClew(args, {}, { cwd: folder })
const file = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)

async function schemaOf(table: string, run = clew) {
  const { output } = await run('schema', '--json', table)
  const { comment, rows, columns } = JSON.parse(output) as {
    comment: string
    rows: number
    columns: { name: string; type: string; comment: string }[]
  }
  return { comment, rows, columns: columns.map(({ name, type, comment: of }) => [name, type, ...(of === '' ? [] : [of])]) }
}

/** Returns the rows of a table that `clew load` made, in the order of their first column. */
async function rowsOf(table: string): Promise<readonly (readonly unknown[])[]> {
  const { rows } = await warehouse.readOwn({ sql: `SELECT * FROM default.${table} ORDER BY 1` }, AbortSignal.timeout(60_000))
  return rows
}

async function makeParquet(path: string): Promise<void> {
  const engine = await startTestEngine()
  const select = "SELECT number AS id, toDate('2026-01-01') + number AS day, [number] AS list FROM numbers(1000)"
  await engine.warehouse.write({ sql: `INSERT INTO FUNCTION file('${path}', Parquet) ${select}` }, AbortSignal.timeout(60_000))
  await engine.close()
}

describe('clew load', () => {
  it('makes a table of each file, with types and comments, where other commands find it', async () => {
    await file('cities 2024.csv', CITIES)
    await file(
      'events.jsonl.gz',
      gzipSync('{"at": "2026-01-01T10:00:00Z", "who": {"name": "Ann"}}\n{"at": "2026-01-01T11:00:00Z"}\n'),
    )
    await makeParquet(join(folder, 'trips.parquet'))
    await file('comments.yaml', 'table: Cities with a shop.\ncolumns: {postcode: of the shop}\n')
    expect(await clewOfFolder('load', 'cities 2024.csv', '--comments', 'comments.yaml', '--yes')).toMatchObject({
      status: 0,
      output: expect.stringContaining('Loaded 2 rows into default.cities_2024.'),
    })
    expect(await clewOfFolder('load', 'events.jsonl.gz', 'trips.parquet', '--yes')).toMatchObject({ status: 0 })
    expect(await schemaOf('cities_2024', clewOfFolder)).toEqual({
      comment: 'Cities with a shop.',
      rows: 2,
      columns: [
        ['id', 'Int64'],
        ['city', 'String'],
        // If the postcode were loaded as a number, it would lose its leading zero.
        ['postcode', 'String', 'of the shop'],
        ['opened', 'Nullable(Date)'],
      ],
    })
    expect(await schemaOf('events', clewOfFolder)).toMatchObject({
      rows: 2,
      columns: [
        ['at', 'DateTime'],
        ['who', 'Tuple(name Nullable(String))'],
      ],
    })
    expect(await schemaOf('trips', clewOfFolder)).toMatchObject({
      rows: 1000,
      columns: [
        ['id', 'UInt64'],
        ['day', 'Date32'],
        ['list', 'Array(UInt64)'],
      ],
    })
  })

  it('previews a table, and loads nothing without consent', async () => {
    await file('cities.csv', CITIES)
    const { status, output, errors } = await clew('load', 'cities.csv')
    expect(status).toBe(2)
    expect(output).toContain('default.cities ← cities.csv: 2 rows, 4 columns')
    expect(output).toMatch(/postcode\s+│ String\s+│ 00531/)
    expect(errors).toContain('Say --yes')
    expect(await clew('schema', 'cities')).toMatchObject({ status: 1 })
  })

  it('combines files of one kind in one table, and replaces a table only on request', async () => {
    await file('a.csv', 'id,x\n1,1\n')
    await file('b.csv', 'id,x\n2,1.5\n')
    expect(await clew('load', 'a.csv', 'b.csv', '--as', 'all', '--yes')).toMatchObject({ status: 0 })
    expect(await clew('load', 'a.csv', '--as', 'all', '--yes')).toMatchObject({
      status: 2,
      errors: expect.stringContaining('There is a table default.all already'),
    })
    expect(await schemaOf('all')).toMatchObject({
      rows: 2,
      columns: [
        ['id', 'Int64'],
        ['x', 'Float64'],
      ],
    })
    expect(await clew('load', 'a.csv', '--as', 'all', '--replace', '--yes')).toMatchObject({ status: 0 })
    expect(await schemaOf('all')).toMatchObject({ rows: 1 })
  })

  it.each([
    ['a delimiter of its own', 'id;x\n2;1\n', 'a.csv and 1 more file do not have the same delimiter'],
    ['another name', 'id,y\n2,1\n', 'a.csv and b.csv do not have the same columns (x is in one only)'],
    ['a ragged row', 'id,x\n2\n', 'b.csv cannot be loaded: not all of its rows have as many values as there are columns'],
    ['a text among numbers', 'id,x\n2,n/a\n', 'a.csv and 1 more file cannot be loaded: the column `x` has not the same type'],
  ])('does not combine a file with %s and another one', async (_, other, told) => {
    await file('a.csv', 'id,x\n1,1\n')
    await file('b.csv', other)
    expect(await clew('load', 'a.csv', 'b.csv', '--as', 'both', '--yes')).toMatchObject({
      status: 1,
      errors: expect.stringContaining(told),
    })
  })

  it('uses the types of all rows if those of the first ones fail', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},${index === 50_000 ? 'n/a' : index}`)
    await file('late.csv', `id;amount\n${rows.join('\n').replaceAll(',', ';')}\n`)
    expect(await clew('load', 'late.csv', '--yes')).toMatchObject({ status: 0 })
    expect(await schemaOf('late')).toMatchObject({
      rows: 60_000,
      columns: [
        ['id', 'Int64'],
        ['amount', 'String'],
      ],
    })
  })

  it('accepts any characters in file and column names', async () => {
    const name = "x{1,2}*;' OR.csv"
    await file(name, 'a`b\\,"c\'; DROP TABLE kept --",💡\n1,2,3\n')
    await file('kept.csv', 'id\n1\n')
    expect(await clew('load', 'kept.csv', name, '--yes')).toMatchObject({ status: 0 })
    expect(await schemaOf('kept')).toMatchObject({ rows: 1 })
    expect(await schemaOf('x_1_2_OR')).toMatchObject({
      columns: [
        ['a`b\\', 'Int64'],
        ["c'; DROP TABLE kept --", 'Int64'],
        ['💡', 'Int64'],
      ],
    })
  })

  it.each([
    ['ragged.csv', 'a,b\n1,2\n3\n', 'line 3 has fewer values than there are columns'],
    ['long.csv', 'a,b\n1,2\n3,4,5\n', 'line 3 has more values than there are columns'],
    ['behind.csv', 'a,b\n1,"x\ny"\n2,"5"" z"\n3\n', 'line 5 has fewer values than there are columns'],
    ['twice.csv', 'a,a\n1,2\n', 'two of its columns are called `a`'],
    ['semicolons.csv', 'a;a;b\n1;2;3\n', 'two of its columns are called `a`'],
    ['utf16.csv', Buffer.from('\ufeffid,name\n1,a\n', 'utf16le'), 'is in UTF-16: convert it'],
    ['empty.csv', '', 'empty.csv is empty.'],
    ['header.csv', 'a,b\n', 'it has no rows'],
    ['latin.csv', Buffer.from('name\nM\u00fcller\n', 'latin1'), 'is not in UTF-8 (column name)'],
    ['cut.jsonl', '{"a": 1}\n{"a": ', 'cut.jsonl cannot be loaded'],
    ['false.parquet', 'no parquet', 'does not hold Parquet'],
    ['sheet.xlsx', 'PK', 'is a workbook: save its sheet as "CSV UTF-8"'],
    ['data.txt', 'a', 'none of the endings'],
  ])('explains %s', async (name, content, words) => {
    await file(name, content)
    const { status, errors } = await clew('load', name, '--yes')
    expect(errors).toContain(words)
    // Progress lines are left out, because a slow start of the engine adds some.
    expect(
      errors
        .trim()
        .split('\n')
        .filter(line => !line.endsWith('…')),
    ).toHaveLength(1)
    expect(status).not.toBe(0)
  })

  it.each([
    [
      'a quote that swallows the rows behind it',
      'a.csv',
      'id,name\n1,a\n2,"b\n3,c\n4,d\n',
      /a quote in its column name is not closed/,
    ],
    [
      'a quote that ends with the file',
      'a.csv',
      'id,name,note\n1,a,x\n2,"b,y\n3,c,z\n',
      /line 3 does not end .*: a quote in it is not closed/,
    ],
    [
      'Parquet under another name',
      'a.csv',
      Buffer.from('PAR1\0\0PAR1'),
      /a\.csv is a Parquet file.*: give it the ending \.parquet/,
    ],
    ['gzip under another name', 'a.csv', gzipSync(CITIES), /is compressed with gzip.*: add the ending \.gz/],
    ['a workbook under another name', 'a.csv', Buffer.from('PK\x03\x04\0\0'), /an Excel workbook.*save the sheet as CSV/],
    ['JSON under another name', 'a.csv', '{"a": 1}\n', /is JSON, though its name ends in \.csv: give it the ending \.jsonl/],
    ['text under the name of Parquet', 'a.parquet', CITIES, /does not hold Parquet: give it the ending of its content/],
    ['text under the name of JSON', 'a.jsonl', CITIES, /does not hold JSON lines/],
    [
      'a line that is no JSON',
      'a.jsonl',
      '{"a": 1}\n\n{"a": 2}\n{"a": 3\n{"a": 4}\n',
      /line 4 is not valid JSON \(\{"a": 3\)\. Correct the line or take it out/,
    ],
    [
      'a broken line far behind',
      'a.jsonl',
      `${'{"a": 1}\n'.repeat(30_000)}{"a": oops}\n{"a": 1}\n`,
      /line 30001 is not valid JSON/,
    ],
  ] as const)('names %s, and what to do', async (_, name, content, told) => {
    await file(name, content)
    const { status, errors } = await clew('load', '--yes', name)
    expect(errors).toMatch(told)
    expect(status).not.toBe(0)
  })

  it('loads what only looks wrong: quotes within values, line breaks within quotes, JSON over several lines', async () => {
    await file('disks.csv', 'id,name\n1,5" disk\n2,b\n')
    await file('notes.csv', 'id,note\n1,"first, second\nthird, fourth"\n2,b\n')
    await file('pretty.json', '{\n "a": 1\n}\n{\n "a": 2\n}\n')
    const { output } = await clew('load', '--yes', 'disks.csv', 'notes.csv', 'pretty.json')
    expect(output.match(/Loaded 2 rows/g)).toHaveLength(3)
  })

  it('reads the numbers and dates of a region, all of them, and loses no row', async () => {
    const rows = [
      'Datum;Zeit;Betrag;Menge;Kurs;Alt',
      '01.03.2026;1.3.2026 9:05;1.234,50;999;1,5E+03;01.01.1950',
      ' 29.02.2024 ;31.12.2025 23:59:58;-1.000.000,01;1.234.567;0,125;01.01.2026',
      ';;"";;;',
    ]
    await file('umsatz.csv', `\ufeff${rows.join('\r\n')}\r\n`)
    const { output, status } = await clew('load', '--yes', 'umsatz.csv')
    expect(status).toBe(0)
    expect(output).toMatch(/Datum +│ Nullable\(Date\) +│ 2026-03-01/)
    expect(output).toContain('Read as dates like dd.mm.yyyy: Datum, Zeit, Alt.')
    expect(output).toContain('Read as numbers like 1.234,50: Betrag, Menge, Kurs.')
    expect((await schemaOf('umsatz')).columns).toEqual([
      ['Datum', 'Nullable(Date)'],
      ['Zeit', 'Nullable(DateTime)'],
      ['Betrag', 'Nullable(Float64)'],
      ['Menge', 'Nullable(Int64)'],
      ['Kurs', 'Nullable(Float64)'],
      ['Alt', 'Nullable(Date32)'],
    ])
    expect(await rowsOf('umsatz')).toEqual([
      ['2024-02-29', '2025-12-31 23:59:58', -1000000.01, '1234567', 0.125, '2026-01-01'],
      ['2026-03-01', '2026-03-01 09:05:00', 1234.5, '999', 1500, '1950-01-01'],
      [null, null, null, null, null, null],
    ])
  })

  it.each([
    [
      'a day above 12 in one value',
      'd\n01/02/2026\n13/02/2026\n',
      'Read as dates like dd/mm/yyyy: d.',
      ['2026-02-01', '2026-02-13'],
    ],
    [
      'a day above 12 behind the month',
      'd\n01/02/2026\n12-31-2025\n',
      'Read as dates like mm/dd/yyyy: d.',
      ['2025-12-31', '2026-01-02'],
    ],
    ['one meaning in either order', 'd\n05/05/2026\n', 'Read as dates like', ['2026-05-05']],
    ['either order', 'd\n01/02/2026\n', '01/02/2026 may mean 2026-02-01 or 2026-01-02', ['01/02/2026']],
    [
      'both orders',
      'd\n13/02/2026\n02/13/2026\n',
      'because of line 3: 02/13/2026 is no date like dd/mm/yyyy',
      ['02/13/2026', '13/02/2026'],
    ],
    [
      'a day that no month has',
      'd\n01.03.2026\n31.02.2026\n',
      'because of line 3: 31.02.2026 is no date',
      ['01.03.2026', '31.02.2026'],
    ],
    ['no century', 'd\n01.02.25\n', '01.02.25 is no date like dd.mm.yyyy', ['01.02.25']],
    ['a year beyond the types', 'd\n01.02.2025\n31.12.9999\n', 'line 3: 31.12.9999 is no date', ['01.02.2025', '31.12.9999']],
    [
      'an order for each value',
      'd\n2026-01-02\n2026-01-03\n01/02/2026\n',
      'd is text because of line 4: 01/02/2026.',
      ['01/02/2026', '2026-01-02', '2026-01-03'],
    ],
    ['a point in three ways', 'd;x\n1.234;a\n999;b\n', '1.234 may mean 1234 or 1.234', ['1.234', '999']],
    ['a comma in three ways', 'd;x\n1,234;a\n', '1,234 may mean 1.234 or 1234', ['1,234']],
    ['two points', 'd;x\n1.234.567;a\n999;b\n', 'Read as numbers like 1.234,50: d.', ['999', '1234567']],
    ['a point where the file has them', 'd;x\n1.234;2.5\n', 'Read as numbers like 1,234.50: d.', [1.234]],
    ['a point where the file has commas', 'd;x\n1.234;2,5\n', '1.234 may mean 1234 or 1.234', ['1.234']],
    ['commas in thousands', 'd\n"1,234.50"\n12\n', 'Read as numbers like 1,234.50: d.', [12, 1234.5]],
    [
      'two regions',
      'd;x\n"1.234,50";a\n"1,234.50";b\n',
      'because of line 3: 1,234.50 is no number like 1.234,50',
      ['1,234.50', '1.234,50'],
    ],
    [
      'groups of digits alone',
      'd;x\n192.168.178.100;a\n192.168.178.101;b\n',
      'stay text: they may be codes',
      ['192.168.178.100', '192.168.178.101'],
    ],
    ['telephone numbers', 'd;x\n+49 123 456;a\n30 123;b\n', 'Values that begin with 0 or + stay text', ['+49 123 456', '30 123']],
    [
      'an apostrophe, a narrow space, and a quote of SQL',
      "d;x\n1'234,5;'\n1\u202f234,5;\\\n",
      'Read as numbers like 1.234,50: d.',
      [1234.5, 1234.5],
    ],
    [
      'another value among dates',
      'd\n01.03.2026\n02.03.2026\n"n/a\'); DROP TABLE x --"\n',
      "d is text because of line 4: n/a'); DROP TABLE x --.",
      ['01.03.2026', '02.03.2026', "n/a'); DROP TABLE x --"],
    ],
  ] as const)('never guesses: %s', async (_, content, told, values) => {
    await file('guess.csv', content)
    const { output, status } = await clew('load', '--yes', '--replace', 'guess.csv')
    expect(output).toContain(told)
    expect(status).toBe(0)
    expect((await rowsOf('guess')).map(([value]) => value)).toEqual(values)
  })

  it('reads all rows before it decides', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${String((index % 28) + 1).padStart(2, '0')}.03.2026;${index},5`)
    await file('late.csv', `d;n\n${rows.join('\n')}\n31.04.2026;1.5.0\n`)
    const { output } = await clew('load', '--yes', '--replace', 'late.csv')
    expect(output).toContain('d has dates such as 01.03.2026, which stay text because of line 60002: 31.04.2026 is no date')
    expect(output).toContain('n is text because of line 60002: 1.5.0.')
    expect(await schemaOf('late')).toMatchObject({ rows: 60_001 })
  })

  it('takes many columns, with names like those of SQL', async () => {
    const names = ['row', 'clew_row', 'f0', 'd text', ...Array.from({ length: 46 }, (_, index) => `n\\${index}`)]
    await file('wide.csv', `${names.join(';')}\n${names.map(() => '1,5').join(';')}\n${names.map(() => '1.234,25').join(';')}\n`)
    expect(await clew('load', '--yes', 'wide.csv')).toMatchObject({ errors: expect.not.stringContaining('cannot'), status: 0 })
    expect((await schemaOf('wide')).columns.map(([, type]) => type)).toEqual(names.map(() => 'Float64'))
  })

  it('tells which value makes a column of numbers or dates a text', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `${index},2026-01-01,a${index},"x\ny"`)
    await file('mixed.csv', `v,day,code,note\n${rows.join('\n')}\nabc,2026-01-01,7,z\n8,soon,7,z\n9,later,7,z\n`)
    const { output } = await clew('load', '--yes', 'mixed.csv')
    expect(output).toContain('v is text because of line 402: abc.')
    expect(output).toContain('day is text because of 2 values, the first in line 403: soon.')
    expect(output).not.toMatch(/(?:code|note) is text/)
  })

  it('is suggested by a command that finds no folder, or a folder without tables', async () => {
    const empty = join(folder, 'empty')
    const schema = () => runClew(['schema'], { CLICKHOUSE_URL: `chdb:${empty}` })
    expect(await schema()).toMatchObject({
      status: 2,
      errors: `CLICKHOUSE_URL: there is no folder ${empty}. Correct the path, or load files into it: \`clew load FILE…\`.\n`,
    })
    await mkdir(empty)
    const { status, errors } = await schema()
    expect(errors).toContain('No database that this user sees has tables: load files (`clew load FILE…`)')
    expect(status).toBe(0)
  })

  it('explains other obstacles to loading', async () => {
    await file('cities.csv', CITIES)
    await file('wrong.yaml', 'columns: {town: where}\n')
    await mkdir(join(folder, 'folder.csv'))
    const said = async (...args: string[]) => (await clewOfFolder('load', '--yes', ...args)).errors
    expect(await said('none.csv')).toContain('none.csv cannot be read: there is no such file or folder.')
    expect(await said('folder.csv')).toContain('it is not a file')
    expect(await said('cities.csv', '--comments', 'wrong.yaml')).toContain('columns that are not in the data: town')
    expect(await said('cities.csv', '--as', 'x.y')).toContain('--as takes the name of a table')
    const server = await runClew(['load', join(folder, 'cities.csv'), '--yes'], { CLICKHOUSE_URL: 'http://127.0.0.1:1' })
    expect(server).toMatchObject({ status: 2, errors: expect.stringContaining("with ClickHouse's own client") })
    await expect(stat(join(folder, 'clew-data', 'data', 'data', 'default', 'cities'))).rejects.toThrow()
  })
})
