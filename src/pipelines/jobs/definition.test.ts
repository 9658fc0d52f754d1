import { describe, expect, it } from '@jest/globals'
import { renderTemplate } from '../sql-template.ts'
import { operationLayers, parseJobDefinition } from './definition.ts'

const MINIMAL = `
name: daily
inputs:
  raw: { source: SELECT 1 AS a }
operations:
  - { name: all_rows, sql: "SELECT * FROM {{ raw }}" }
target: { operation: all_rows, table: daily_rows }
`

function refusal(yaml: string): string {
  try {
    parseJobDefinition(yaml)
  } catch (error) {
    return (error as Error).message
  }
  return 'taken'
}

describe('a definition', () => {
  it('has defaults', () => {
    expect(parseJobDefinition(MINIMAL)).toEqual({
      name: 'daily',
      description: '',
      arguments: {},
      inputs: { raw: { source: 'SELECT 1 AS a', description: '', order_by: [] } },
      operations: [{ name: 'all_rows', description: '', sql: 'SELECT * FROM {{ raw }}', order_by: [] }],
      target: { operation: 'all_rows', table: 'daily_rows' },
      time_zone: 'UTC',
      ttl_hours: 72,
    })
  })

  it.each([
    [
      'a cycle',
      MINIMAL.replace('{{ raw }}', '{{ raw }}, {{ later }}').replace(
        'target:',
        '  - { name: later, sql: "SELECT * FROM {{ all_rows }}" }\ntarget:',
      ),
      'operations that need each other: all_rows → later → all_rows',
    ],
    [
      'an operation that reads itself',
      MINIMAL.replace('{{ raw }}', '{{ raw }}, {{ all_rows }}'),
      'operations that need each other: all_rows → all_rows',
    ],
    [
      'an unknown input',
      MINIMAL.replace('{{ raw }}', '{{ raw }}, {{ raws }}'),
      'operation all_rows: there is no input or operation raws',
    ],
    [
      'an unused input',
      MINIMAL.replace('operations:', '  more: { table: p_more }\noperations:'),
      'the input more is not read by any operation',
    ],
    [
      'an operation that leads nowhere',
      MINIMAL.replace('target:', '  - { name: other, sql: "SELECT * FROM {{ raw }}" }\ntarget:'),
      'the operation other leads nowhere',
    ],
    ['an unknown argument', MINIMAL.replace('{{ raw }}', '{{ raw }} WHERE a = {{ arguments.a }}'), 'there is no argument a'],
    ['an unused argument', `${MINIMAL}arguments: { since: 1 }`, 'the argument since is not used'],
    [
      'a number that would be rounded',
      `${MINIMAL}arguments: { id: 9007199254740993 }`,
      'is too large to be exact: write it as a text',
    ],
    [
      'a name given twice',
      MINIMAL.replace('name: all_rows', 'name: raw').replace('operation: all_rows', 'operation: raw'),
      'the name raw is given twice',
    ],
    [
      'a placeholder that is none',
      MINIMAL.replace('{{ raw }}', '{{ raw }} {{ a b }}'),
      '{{ a b }} is not an input, an operation',
    ],
    ['a target that is none', MINIMAL.replace('operation: all_rows', 'operation: none'), 'there is no operation none'],
    ['a target that is an input', MINIMAL.replace('daily_rows', 'p_raw'), 'p_raw is the table of the input raw'],
    [
      'a target named like a job’s own table',
      MINIMAL.replace('daily_rows', 't_0123456789abcdef'),
      'must not look like a table of a job',
    ],
    ['a table of another database', MINIMAL.replace('{ source: SELECT 1 AS a }', '{ table: other.x }'), 'inputs.raw'],
    [
      'an hour that there is not',
      `${MINIMAL}schedule: '0 25 * * *'`,
      'schedule: 0 25 * * * is not a cron expression (Constraint error, got value 25 expected range 0-23): write minute, hour,',
    ],
    ['a day that never comes', `${MINIMAL}schedule: '0 6 30 2 *'`, 'schedule: 0 6 30 2 * is not a cron expression'],
    ['a time zone that there is not', `${MINIMAL}time_zone: Europe/Berlni`, 'time_zone: Europe/Berlni is not a time zone'],
    ['an unknown key', `${MINIMAL}retries: 3`, 'retries'],
    ['nothing but a name', 'name: daily', '- line 1: operations is missing\n- line 1: target is missing'],
    [
      'one operation for a list',
      MINIMAL.replace('  - { name: all_rows', '  { name: all_rows'),
      'line 5: operations must be a list',
    ],
    ['no YAML', 'name: [', 'line 1, column 8: this is not YAML: '],
    [
      'a document of aliases',
      `a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c]\ne: [*d,*d,*d,*d]`,
      'this is not YAML',
    ],
  ])('with %s is refused with a reason', (_, yaml, reason) => {
    expect(refusal(yaml)).toContain(reason)
  })

  it('has errors with line numbers', () => {
    expect(refusal(MINIMAL.replace('name: daily', 'name: Daily Rows'))).toMatch(/line 2: name must begin with a small letter/)
    const unknown = `${MINIMAL.trimEnd()}\ncolour: red\n`
    expect(refusal(unknown)).toContain(`line ${unknown.split('\n').indexOf('colour: red') + 1}: colour is not a known key`)
  })

  it('runs in layers', () => {
    const yaml = MINIMAL.replace('{{ raw }}', '{{ left_half }}, {{ right_half }}').replace(
      'target:',
      '  - { name: left_half, sql: "SELECT * FROM {{ raw }}" }\n  - { name: right_half, sql: "SELECT * FROM {{ raw }}" }\ntarget:',
    )
    expect(operationLayers(parseJobDefinition(yaml)).map(layer => layer.map(({ name }) => name))).toEqual([
      ['left_half', 'right_half'],
      ['all_rows'],
    ])
  })
})

describe('a template', () => {
  it('inserts arguments as literals of their type', () => {
    const template = 'SELECT {{ arguments.text }}, {{ arguments.number }}, {{arguments.flag}}, {{ arguments.none }} FROM {{ a }}'
    const values = { text: "'; DROP TABLE x -- \\", number: -1.5, flag: true, none: null }
    expect(renderTemplate(template, { tables: new Map([['a', '`d`.`t`']]), values })).toBe(
      "SELECT '\\'; DROP TABLE x -- \\\\', (-1.5), true, NULL FROM `d`.`t`",
    )
  })

  it('keep a negative number apart from a minus before it, with which it would begin a comment', () => {
    const rendered = renderTemplate('SELECT n-{{ arguments.by }} FROM {{ a }}', {
      tables: new Map([['a', 't']]),
      values: { by: -5 },
    })
    expect(rendered).toBe('SELECT n-(-5) FROM t')
  })

  it('does not expand placeholders inside arguments', () => {
    const values = { text: '{{ secret }}' }
    expect(renderTemplate('SELECT {{ arguments.text }}', { tables: new Map([['secret', 'x']]), values })).toBe(
      "SELECT '{{ secret }}'",
    )
  })
})
