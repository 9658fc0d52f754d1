import { describe, expect, it } from '@jest/globals'
import type { EngineRequest } from './http-request.ts'
import { namesFile, needsParsing, parseInsert, parseKill } from './own-statements.ts'

const request = (sql: string, more: Partial<EngineRequest> = {}): EngineRequest => ({
  queryId: undefined,
  sql,
  body: undefined,
  format: 'TabSeparated',
  database: undefined,
  settings: {},
  parameters: {},
  compress: false,
  person: '',
  ...more,
})

describe('parseKill', () => {
  it.each([
    ["KILL QUERY WHERE query_id = 'a-1'", 'a-1'],
    ["kill query where query_id='a-1' sync format TabSeparated", 'a-1'],
    ['KILL QUERY WHERE query_id = {id:String} ASYNC', 'bound'],
  ])('reads %s', (sql, id) => {
    expect(parseKill(request(sql, { parameters: { id: 'bound' } }))).toBe(id)
  })

  it.each(["KILL QUERY WHERE query_id != 'a'", 'KILL QUERY WHERE 1', "SELECT 'KILL QUERY WHERE query_id = ''a'''"])(
    'leaves %s to the engine',
    sql => {
      expect(parseKill(request(sql))).toBeUndefined()
    },
  )
})

describe('parseInsert', () => {
  it('takes rows from the body, from the text, or from both', () => {
    const both = parseInsert(request('INSERT INTO d.t (a, b) FORMAT TSV\n1\t2\n', { body: Buffer.from('3\t4\n') }))
    expect(both?.rows.toString()).toBe('1\t2\n3\t4\n')
    expect(both?.statement('/f')).toBe("INSERT INTO d.t (a, b) FROM INFILE '/f' COMPRESSION 'none' FORMAT TSV")
  })

  it('keeps settings in their place', () => {
    expect(parseInsert(request('INSERT INTO t SETTINGS async_insert = 0 FORMAT JSONEachRow'))?.statement('/f')).toBe(
      "INSERT INTO t SETTINGS async_insert = 0 FROM INFILE '/f' COMPRESSION 'none' FORMAT JSONEachRow",
    )
  })

  it.each(['INSERT INTO t VALUES (1)', "INSERT INTO t SELECT ' FORMAT TSV'", 'SELECT 1 FORMAT TSV'])(
    'leaves %s to the engine',
    sql => {
      expect(parseInsert(request(sql))).toBeUndefined()
    },
  )
})

describe('statements that only clickhouse-local has', () => {
  it.each(['SELECT 1; SELECT 2', "SELECT 1 into\noutfile 'x'", "INSERT INTO t FROM INFILE 'x'"])('parses %j', sql => {
    expect(needsParsing(sql)).toBe(true)
  })

  it('does not parse harmless text', () => {
    expect(needsParsing('SELECT 1 ; \n')).toBe(false)
  })

  it.each([
    ["SELECT 1 INTO OUTFILE 'x'", true],
    ["SELECT 'it''s \\' INTO OUTFILE'", false],
    ["SELECT 'a' INTO OUTFILE 'b'", true],
    ['SELECT `INTO OUTFILE`, "FROM INFILE"', false],
  ])('%s names a file: %s', (canonical, expected) => {
    expect(namesFile(canonical)).toBe(expected)
  })
})
