import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { referenceRows, units, type Value } from '../../test/support/plan-reference.ts'
import { runsOf } from '../../test/support/whole.ts'
import { createLogger } from '../base/logger.ts'
import type { Cell } from '../warehouse/warehouse.ts'
import { checkPlan } from './check-plan.ts'
import { CombineEngine, openPrivateEngine } from './engine.ts'
import type { ScanResult } from './load-input.ts'
import {
  type ColumnType,
  type NodeId,
  type Plan,
  type PlanColumn,
  type PlanDraft,
  type Post,
  type PostStep,
  planDraftSchema,
} from './plan.ts'

const KEY_TYPES = ['integer', 'text', 'decimal', 'boolean', 'date', 'datetime'] as const
const MEASURES = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'share'] as const

let engine: CombineEngine
let ids = 0
beforeAll(() => {
  engine = new CombineEngine({
    open: openPrivateEngine,
    logger: createLogger({ level: 'silent' }),
    newId: () => `${ids++}`,
  })
})
afterAll(() => engine.close())

/** Makes choices from random numbers, so that fast-check can shrink a plan that fails. */
class Choices {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  upTo(most: number): number {
    return (this.#numbers[this.#next++ % this.#numbers.length] ?? 0) % (most + 1)
  }

  of<Choice>(choices: readonly [Choice, ...Choice[]] | readonly Choice[]): Choice {
    const [first] = choices
    if (first === undefined) throw new Error('Nothing to choose from')
    return choices[this.upTo(choices.length - 1)] ?? first
  }
}

interface SampleValue {
  readonly cell: Cell
  readonly value: Value
}

/** Values of a type as a source returns them, and as the reference has them. Few, so that keys meet. */
const SAMPLES: Readonly<Record<ColumnType, { readonly type: string; readonly values: readonly SampleValue[] }>> = {
  integer: {
    type: 'Nullable(UInt64)',
    values: ['0', '1', '2', '18446744073709551615'].map(cell => ({ cell, value: BigInt(cell) })),
  },
  text: {
    type: 'LowCardinality(Nullable(String))',
    values: ['1', '2.5', 'true', '2024-02-29', '2024-02-29 00:00:00.000000', "it's", ''].map(cell => ({ cell, value: cell })),
  },
  decimal: { type: 'Nullable(Decimal(18, 3))', values: ['1', '2.5', '-0.125', '1'].map(cell => ({ cell, value: units(cell) })) },
  float: { type: 'Nullable(Float64)', values: [0, 1, 2.5, -0.25].map(cell => ({ cell, value: cell })) },
  boolean: { type: 'Nullable(Bool)', values: [true, false].map(cell => ({ cell, value: cell })) },
  date: { type: 'Nullable(Date)', values: ['2024-02-29', '2024-03-01'].map(cell => ({ cell, value: cell })) },
  datetime: {
    type: "Nullable(DateTime('America/New_York'))",
    values: [
      { cell: '2024-02-28 19:00:00', value: '2024-02-29 00:00:00.000000' },
      { cell: '2024-07-01 12:00:00', value: '2024-07-01 16:00:00.000000' },
    ],
  },
}

/** The first table at one row a key, under the same names. */
const SUMS: Post = {
  key: 'sums',
  input: 'q1',
  question: 'sums',
  steps: [
    {
      kind: 'aggregate',
      by: ['k', 'j'],
      measures: [
        { name: 'n', function: 'sum', column: 'n' },
        { name: 'g', function: 'max', column: 'g' },
        { name: 'd', function: 'sum', column: 'd' },
        { name: 'f', function: 'sum', column: 'f' },
      ],
    },
  ],
}

interface World {
  readonly plan: Plan
  readonly results: ReadonlyMap<NodeId, ScanResult>
  readonly rows: ReadonlyMap<NodeId, readonly Readonly<Record<string, Value>>[]>
}

/** Makes two or three small tables, and a plan over them. Undefined if the plan is refused. */
function worldOf(numbers: readonly number[]): World | undefined {
  const choices = new Choices(numbers)
  const sub_queries = ['q1', 'q2'].map(key => ({
    key,
    source: 'a',
    question: key,
    columns: columnsFor(choices),
    restrict: null,
  }))
  const left = choices.of(['q1', 'q1', 'sums'])
  const combine = combineFor(choices, left)
  const draft = { sub_queries, combines: [combine], posts: left === 'sums' ? [SUMS] : [] }
  const combined = planOf(draft)
  if (combined === undefined) return undefined
  const columns = combined.nodes.at(-1)?.columns ?? []
  const steps = stepsFor(choices, columns)
  const plan =
    steps.length === 0 ? combined : planOf({ ...draft, posts: [...draft.posts, { key: 'p', input: 'c', question: 'p', steps }] })
  return plan && { plan, ...tablesFor(choices, plan) }
}

function planOf(draft: unknown): Plan | undefined {
  const checked = checkPlan(planDraftSchema.parse(draft), { sources: ['a'] })
  return 'plan' in checked ? checked.plan : undefined
}

function columnsFor(choices: Choices): readonly PlanColumn[] {
  return [
    { name: 'k', type: choices.of(KEY_TYPES) },
    { name: 'j', type: choices.of(KEY_TYPES) },
    { name: 'g', type: 'text' },
    { name: 'n', type: 'integer' },
    { name: 'd', type: 'decimal' },
    { name: 'f', type: 'float' },
  ]
}

function combineFor(choices: Choices, left: string): PlanDraft['combines'][number] {
  const on = choices.of([
    [{ left: 'k', right: 'k' }],
    [{ left: 'k', right: 'j' }],
    [
      { left: 'k', right: 'k' },
      { left: 'j', right: 'j' },
    ],
  ])
  switch (choices.of(['join', 'join', 'compare', 'union', 'standalone'] as const)) {
    case 'join':
      return { kind: 'join', key: 'c', join: choices.of(['inner', 'left', 'full'] as const), left, right: 'q2', on }
    case 'compare': {
      const values = [
        choices.of([
          { left: 'n', right: 'd' },
          { left: 'g', right: 'g' },
          { left: 'f', right: 'n' },
        ]),
      ]
      return { kind: 'compare', key: 'c', left, right: 'q2', on, values }
    }
    case 'union':
      return {
        kind: 'union',
        key: 'c',
        tag: 'part',
        inputs: [
          { input: left, label: "one's" },
          { input: 'q2', label: '{p0:String}' },
        ],
      }
    case 'standalone':
      return { kind: 'standalone', key: 'c', input: left }
  }
}

/** Steps that mostly are possible: each takes columns that its input has. */
function stepsFor(choices: Choices, input: readonly PlanColumn[]): readonly PostStep[] {
  const steps: PostStep[] = []
  let columns = input
  for (let count = choices.upTo(3); count > 0; count--) {
    const step = stepFor(choices, columns)
    if (step === undefined) continue
    steps.push(step)
    // Later steps use only columns whose names and types are certain.
    if (step.kind === 'aggregate') columns = columns.filter(({ name }) => step.by.includes(name))
    if (step.kind === 'project')
      columns = columns.filter(({ name }) => step.columns.some(column => column.kind === 'column' && column.name === name))
    if (columns.length === 0) return steps
  }
  return steps
}

function stepFor(choices: Choices, columns: readonly PlanColumn[]): PostStep | undefined {
  const { name, type } = choices.of(columns)
  const numbers = columns.filter(column => ['integer', 'decimal', 'float'].includes(column.type))
  switch (choices.of(['filter', 'aggregate', 'aggregate', 'project', 'sort', 'limit'] as const)) {
    case 'filter': {
      const operator = choices.of(['=', '!=', '<', '>=', 'in', 'not_in', 'is_null', 'is_not_null'] as const)
      const values = { is_null: 0, is_not_null: 0, in: 2, not_in: 2, '=': 1, '!=': 1, '<': 1, '>=': 1 }[operator]
      return {
        kind: 'filter',
        conditions: [{ column: name, operator, values: Array.from({ length: values }, () => filterValue(choices, type)) }],
      }
    }
    case 'aggregate': {
      const measures = Array.from({ length: 1 + choices.upTo(2) }, (_, index) => {
        const measure = choices.of(MEASURES)
        const anyColumn = measure === 'count_distinct' || measure === 'min' || measure === 'max'
        const column = anyColumn ? choices.of(columns).name : numbers.length === 0 ? null : choices.of(numbers).name
        return { name: `m${index}`, function: column === null && measure !== 'share' ? ('count' as const) : measure, column }
      })
      return { kind: 'aggregate', by: choices.upTo(2) === 0 ? [] : [name], measures }
    }
    case 'project': {
      if (numbers.length === 0) return undefined
      const operands = { of: choices.of(numbers).name, by: choices.of(numbers).name }
      return {
        kind: 'project',
        columns: [
          { kind: 'column', name, column: name },
          { kind: 'ratio', name: 'rate', ...operands },
          { kind: 'minus', name: 'rest', from: operands.of, subtract: operands.by },
        ],
      }
    }
    case 'sort':
      return { kind: 'sort', by: [{ column: name, descending: choices.upTo(1) === 1 }] }
    case 'limit':
      return { kind: 'limit', rows: 1 + choices.upTo(4) }
  }
}

function filterValue(choices: Choices, type: ColumnType): string {
  const values = {
    text: ['1', "it's", 'same', '{p1:String}'],
    integer: ['0', '1', '1.5'],
    decimal: ['1', '2.50', '2.49999'],
    float: ['1', '-0.25'],
    boolean: ['true', 'false'],
    date: ['2024-02-29', '2024-02-01'],
    datetime: ['2024-02-29', '2024-03-01'],
  } as const satisfies Record<ColumnType, readonly string[]>
  return choices.of<string>(values[type])
}

function tablesFor(choices: Choices, { nodes }: Plan): Omit<World, 'plan'> {
  const results = new Map<NodeId, ScanResult>()
  const rows = new Map<NodeId, readonly Readonly<Record<string, Value>>[]>()
  for (const node of nodes) {
    if (node.stage !== 'scan') continue
    const sample = Array.from({ length: choices.upTo(6) }, () =>
      node.columns.map(({ type }) => (choices.upTo(4) === 0 ? { cell: null, value: null } : choices.of(SAMPLES[type].values))),
    )
    rows.set(
      node.id,
      sample.map(row => Object.fromEntries(row.map(({ value }, index) => [node.columns[index]?.name, value]))),
    )
    results.set(node.id, {
      columns: node.columns.map(({ name, type }) => ({ name, type: SAMPLES[type].type })),
      rows: sample.map(row => row.map(({ cell }) => cell)),
      truncated: false,
    })
  }
  return { results, rows }
}

/** Writes a cell of the engine as the reference has it. */
function readCell(cell: Cell, type: string): Value {
  if (cell === null) return null
  if (type.includes('Int')) return BigInt(String(cell))
  if (type.includes('Decimal')) return units(String(cell))
  return typeof cell === 'number' || typeof cell === 'boolean' ? cell : String(cell)
}

/** Floating-point results may differ in their last digits. */
function rounded(value: Value | undefined): Value | undefined {
  return typeof value === 'number' ? Number(value.toPrecision(12)) + 0 : value
}

describe('combined rows', () => {
  it('are those of the reference, for random tables and plans', async () => {
    const seen = { answered: 0, repeated: 0, refusedPlan: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 60, maxLength: 120 }), async numbers => {
        const world = worldOf(numbers)
        if (world === undefined) {
          seen.refusedPlan += 1
          return
        }
        const { plan, results, rows } = world
        const [outcome] = await engine.combine({ plan, results }, AbortSignal.timeout(60_000))
        const [terminal = ''] = plan.terminals
        if (outcome?.kind === 'refused' && outcome.reason === 'repeated_rows') {
          seen.repeated += 1
          expect(outcome.reports.some(({ counts }) => Math.max(counts.most_rows_left, counts.most_rows_right) > 1)).toBe(true)
          return
        }
        if (outcome?.kind !== 'answered') throw new Error(`Refused: ${outcome?.message}`)
        seen.answered += 1
        const { columns, rows: cells } = outcome.result
        const actual = cells.map(row => row.map((cell, index) => rounded(readCell(cell, columns[index]?.type ?? ''))))
        expect({ sql: outcome.sql, rows: actual }).toEqual({
          sql: outcome.sql,
          rows: referenceRows(plan, rows, terminal).map(row => row.map(rounded)),
        })
      }),
      // Shrinking would take minutes, and these tables are small.
      { numRuns: runsOf(800), endOnFailure: true },
    )
    expect(seen.answered).toBeGreaterThan(seen.repeated + seen.refusedPlan)
    expect(seen.repeated).toBeGreaterThan(0)
  })
})
