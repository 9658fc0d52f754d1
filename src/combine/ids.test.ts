import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { CUSTOMERS_AND_USAGE, planFor } from '../../test/support/plans.ts'
import { PLAN_NAME, type Plan, type PlanDraft, planDraftSchema } from './plan.ts'

const [first, second] = CUSTOMERS_AND_USAGE.sub_queries
const DRAFT: PlanDraft = {
  ...CUSTOMERS_AND_USAGE,
  combines: [
    ...CUSTOMERS_AND_USAGE.combines,
    {
      kind: 'compare',
      key: 'compared',
      left: 'customers',
      right: 'usage',
      on: [{ left: 'id', right: 'customer' }],
      values: [{ left: 'value', right: 'gigabytes' }],
    },
    {
      kind: 'union',
      key: 'both',
      tag: 'part',
      inputs: [
        { input: 'customers', label: 'a' },
        { input: 'customers', label: 'b' },
      ],
    },
  ],
}
const KEYS = ['customers', 'usage', 'joined', 'compared', 'both', 'by_name']
const ids = (plan: Plan) => plan.nodes.map(({ id }) => id).sort()

/** Names every part of the draft anew. Only whole texts are keys or names of columns. */
function renamed(draft: PlanDraft, names: ReadonlyMap<string, string>): PlanDraft {
  const text = JSON.stringify(draft).replace(/"(key|input|left|right|from)":"(\w+)"/g, (whole, field: string, key: string) => {
    const isColumn = field === 'key' && key === 'id'
    return isColumn ? whole : `"${field}":"${names.get(key) ?? key}"`
  })
  return planDraftSchema.parse(JSON.parse(text))
}

const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length })
const name = fc.stringMatching(PLAN_NAME)

describe('ids of nodes', () => {
  it('have the form of their stage', () => {
    expect(ids(planFor(DRAFT)).every(id => /^(sq|cg|op)_[0-9a-f]{12}$/.test(id))).toBe(true)
  })

  it('do not depend on keys, on the order of parts, fields and inputs of a union, or on white space of a question', () => {
    const draws = fc.record({
      names: fc.uniqueArray(name, { minLength: KEYS.length, maxLength: KEYS.length }),
      subQueries: shuffled(DRAFT.sub_queries),
      combines: shuffled(DRAFT.combines),
      fields: fc.boolean(),
      blank: fc.constantFrom(' ', '\n', '  \t'),
    })
    fc.assert(
      fc.property(draws, ({ names, subQueries, combines, fields, blank }) => {
        const reversed = (object: object) => (fields ? Object.fromEntries(Object.entries(object).reverse()) : object)
        const other = planDraftSchema.parse({
          posts: DRAFT.posts,
          combines: combines.map(combine =>
            reversed(combine.kind === 'union' ? { ...combine, inputs: [...combine.inputs].reverse() } : combine),
          ),
          sub_queries: subQueries.map(each => ({ ...each, question: each.question.replaceAll(' ', blank) })),
        })
        const plan = planFor(renamed(other, new Map(KEYS.map((key, index) => [key, names[index] ?? key]))))
        expect(ids(plan)).toEqual(ids(planFor(DRAFT)))
      }),
    )
  })

  it.each<[string, PlanDraft, number]>([
    ['a question', change({ question: 'Another one?' }), 6],
    ['a source', change({ source: 'telemetry' }), 6],
    [
      'a type',
      change({ columns: first?.columns.map(column => (column.name === 'value' ? { ...column, type: 'integer' } : column)) }),
      6,
    ],
    ['a restriction', { ...DRAFT, sub_queries: DRAFT.sub_queries.map(each => ({ ...each, restrict: null })) }, 4],
    [
      'the kind of a join',
      { ...DRAFT, combines: DRAFT.combines.map(each => (each.kind === 'join' ? { ...each, join: 'full' } : each)) },
      2,
    ],
    [
      'a label',
      { ...DRAFT, combines: DRAFT.combines.map(each => (each.kind === 'union' ? { ...each, tag: 'source' } : each)) },
      1,
    ],
    [
      'a step',
      { ...DRAFT, posts: DRAFT.posts.map(post => ({ ...post, steps: [...post.steps, { kind: 'limit' as const, rows: 3 }] })) },
      1,
    ],
  ])('change with %s, and those of the nodes that take it', (_, other, changed) => {
    const before = new Set(ids(planFor(DRAFT)))
    expect(ids(planFor(other)).filter(id => !before.has(id))).toHaveLength(changed)
  })

  it('tell values apart that differ only in white space', () => {
    const filtered = (value: string) =>
      planFor({
        ...DRAFT,
        posts: [
          {
            key: 'p',
            input: 'joined',
            question: 'p',
            steps: [{ kind: 'filter', conditions: [{ column: 'name', operator: '=', values: [value] }] }],
          },
        ],
      }).terminals
    expect(filtered('a  b')).not.toEqual(filtered('a b'))
  })
})

function change(fields: object): PlanDraft {
  return planDraftSchema.parse({ ...DRAFT, sub_queries: [{ ...first, ...fields }, second] })
}
