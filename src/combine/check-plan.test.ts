import { describe, expect, it } from '@jest/globals'
import { CUSTOMERS_AND_USAGE, idOf, planFor, refusalOf } from '../../test/support/plans.ts'
import { strictJsonSchema } from '../llm/json/strict-json-schema.ts'
import { type Combine, type PlanDraft, type PostStep, planDraftSchema } from './plan.ts'

const draft = CUSTOMERS_AND_USAGE
const [customers, usage] = draft.sub_queries
if (customers === undefined || usage === undefined) throw new Error('The draft has two sub-queries')

function withCombine(combine: Combine): PlanDraft {
  return { ...draft, combines: [combine], posts: [] }
}

function withSteps(...steps: PostStep[]): PlanDraft {
  return { ...draft, posts: [{ key: 'p', input: 'joined', question: 'p', steps }] }
}

const on = [{ left: 'id', right: 'customer' }]
const join = { kind: 'join', key: 'joined', join: 'inner', left: 'customers', right: 'usage', on } as const

describe('checkPlan', () => {
  it('returns the columns of each node, and the results that no other node takes', () => {
    const plan = planFor(draft)
    const columnsOf = (key: string) =>
      plan.nodes.find(({ id }) => id === idOf(plan, key))?.columns.map(({ name, type }) => `${name} ${type}`)
    expect(columnsOf('joined')).toEqual([
      'id integer',
      'name text',
      'value decimal',
      'score float',
      'name_right text',
      'month date',
      'gigabytes integer',
    ])
    expect(columnsOf('by_name')).toEqual(['name text', 'used integer'])
    expect(plan.terminals).toEqual([idOf(plan, 'by_name')])
    expect(plan.nodes.map(({ definition }) => definition.key)).toEqual(['customers', 'usage', 'joined', 'by_name'])
  })

  it('keeps the order of the sub-queries, also if one waits for a later one', () => {
    const plan = planFor({ ...draft, sub_queries: [usage, customers] })
    expect(plan.nodes.map(({ definition }) => definition.key)).toEqual(['usage', 'customers', 'joined', 'by_name'])
  })

  it('asks the same content once', () => {
    const again = { ...customers, key: 'again', question: `  ${customers.question.replace(' ', '\n')}` }
    const plan = planFor({ ...draft, sub_queries: [...draft.sub_queries, again] })
    expect(idOf(plan, 'again')).toBe(idOf(plan, 'customers'))
    expect(plan.nodes).toHaveLength(4)
  })

  it.each<[string, PlanDraft, string]>([
    [
      'too many sub-queries',
      { ...draft, sub_queries: Array.from({ length: 7 }, (_, index) => ({ ...customers, key: `q${index}` })) },
      'has 7 sub-queries, but at most 6',
    ],
    ['a key twice', { ...draft, sub_queries: [customers, { ...usage, key: 'customers' }] }, 'key "customers" twice'],
    [
      'an unknown source',
      { ...draft, sub_queries: [{ ...customers, source: 'hr' }, usage] },
      '"customers" asks the source "hr", but there are only "crm", "telemetry"',
    ],
    ['a missing input', withCombine({ ...join, right: 'orders' }), '"joined" takes "orders", but the plan has no such part'],
    [
      'a combine as restriction',
      { ...draft, sub_queries: [customers, { ...usage, restrict: { column: 'customer', from: 'joined', key: 'id' } }] },
      'restricted by "joined", which is no sub-query',
    ],
    [
      'a restriction by a missing column',
      { ...draft, sub_queries: [customers, { ...usage, restrict: { column: 'customer', from: 'customers', key: 'crm' } }] },
      '"usage" takes the column "crm"',
    ],
    [
      'a restriction by a float',
      { ...draft, sub_queries: [customers, { ...usage, restrict: { column: 'customer', from: 'customers', key: 'score' } }] },
      'floating-point',
    ],
    [
      'a missing key',
      withCombine({ ...join, on: [{ left: 'number', right: 'customer' }] }),
      '"joined" takes the column "number", but its input has only "id", "name"',
    ],
    [
      'a float as key',
      withCombine({ ...join, on: [{ left: 'score', right: 'customer' }] }),
      '"joined" meets rows by "score", but floating-point numbers seldom are equal',
    ],
    [
      'a missing value',
      withCombine({
        kind: 'compare',
        key: 'c',
        left: 'customers',
        right: 'usage',
        on,
        values: [{ left: 'value', right: 'cost' }],
      }),
      '"c" takes the column "cost"',
    ],
    [
      'a union of unlike columns',
      withCombine({
        kind: 'union',
        key: 'u',
        tag: 'of',
        inputs: [
          { input: 'customers', label: 'a' },
          { input: 'usage', label: 'b' },
        ],
      }),
      '"u" takes the column',
    ],
    [
      'a tag that is there already',
      withCombine({
        kind: 'union',
        key: 'u',
        tag: 'id',
        inputs: [
          { input: 'customers', label: 'a' },
          { input: 'customers', label: 'b' },
        ],
      }),
      '"u" has two columns "id"',
    ],
    [
      'an unknown column of a filter',
      withSteps({ kind: 'filter', conditions: [{ column: 'city', operator: '=', values: ['x'] }] }),
      '"p" takes the column "city"',
    ],
    [
      'a filter by a wrong value',
      withSteps({ kind: 'filter', conditions: [{ column: 'month', operator: '>', values: ['2024-02-30'] }] }),
      'type date with "2024-02-30"',
    ],
    [
      'a filter without its value',
      withSteps({ kind: 'filter', conditions: [{ column: 'id', operator: '=', values: [] }] }),
      '"id =" has 0 values, but it takes exactly one value',
    ],
    [
      'a sum of texts',
      withSteps({ kind: 'aggregate', by: [], measures: [{ name: 's', function: 'sum', column: 'name' }] }),
      'calculates with the column "name", but its type is text',
    ],
    [
      'a sum of nothing',
      withSteps({ kind: 'aggregate', by: [], measures: [{ name: 's', function: 'sum', column: null }] }),
      'the measure "s" without a column',
    ],
    [
      'two measures of one name',
      withSteps({ kind: 'aggregate', by: ['id'], measures: [{ name: 'id', function: 'count', column: null }] }),
      'two columns "id"',
    ],
    [
      'a column that a step before has dropped',
      withSteps(
        { kind: 'aggregate', by: ['id'], measures: [{ name: 'n', function: 'count', column: null }] },
        { kind: 'sort', by: [{ column: 'name', descending: false }] },
      ),
      '"p" takes the column "name", but its input has only "id", "n"',
    ],
  ])('refuses %s by name', (_, refused, sentence) => {
    expect(refusalOf(refused)).toContain(sentence)
  })

  it('refuses a cycle by the names of its parts', () => {
    const cycle = { ...draft, combines: [{ ...join, left: 'by_name', on: [{ left: 'name', right: 'name' }] }] }
    expect(refusalOf(cycle)).toBe('The plan has a cycle: "joined" takes "by_name" takes "joined".')
  })

  it('refuses columns of a join that get the same name', () => {
    const twice = { ...customers, columns: [...customers.columns, { name: 'name_right', type: 'text' as const }] }
    expect(refusalOf({ ...draft, sub_queries: [twice, usage] })).toContain('"joined" has two columns "name_right"')
  })
})

describe('planDraftSchema', () => {
  it('is a schema that strict endpoints accept', () => {
    expect(strictJsonSchema(planDraftSchema)).toMatchObject({ required: ['sub_queries', 'combines', 'posts'] })
  })

  it.each(['Name', 'a`b', '1a', 'a b', `a${'b'.repeat(60)}`, ''])('refuses the name %j', name => {
    expect(planDraftSchema.safeParse({ ...draft, sub_queries: [{ ...customers, key: name }] }).success).toBe(false)
    const columns = [{ name, type: 'text' }]
    expect(planDraftSchema.safeParse({ ...draft, sub_queries: [{ ...customers, columns }] }).success).toBe(false)
  })
})
