import type {
  ColumnType,
  Combine,
  Condition,
  Measure,
  NodeId,
  Plan,
  PlanNode,
  PostStep,
  Projected,
} from '../../src/combine/plan.ts'
import type { Columns } from '../../src/combine/relation.ts'

/** Integers and decimals are bigints, decimals in units of 1e-6. Dates and times are ISO texts in UTC. */
export type Value = string | bigint | number | boolean | null
type Row = Readonly<Record<string, Value>>
type Rows = readonly Row[]

const UNITS = 1_000_000n

/** Calculates a plan's results in plain JavaScript, row by row, as a reference for the engine. */
export function referenceRows(plan: Plan, scans: ReadonlyMap<NodeId, Rows>, terminal: NodeId): readonly (readonly Value[])[] {
  const done = new Map<NodeId, Table>()
  const tableOf = (id: NodeId) => done.get(id) ?? { rows: [], columns: [], order: [] }
  for (const node of plan.nodes) done.set(node.id, tableOfNode(node, scans, tableOf))
  const { rows, columns, order } = tableOf(terminal)
  return sorted(rows, columns, order).map(row => columns.map(({ name }) => row[name] ?? null))
}

interface Table {
  readonly rows: Rows
  readonly columns: Columns
  readonly order: readonly { readonly column: string; readonly descending: boolean }[]
}

function tableOfNode(node: PlanNode, scans: ReadonlyMap<NodeId, Rows>, tableOf: (id: NodeId) => Table): Table {
  if (node.stage === 'scan') return { rows: scans.get(node.id) ?? [], columns: node.columns, order: [] }
  if (node.stage === 'combine')
    return { rows: combined(node.definition, node.columns, tableOf), columns: node.columns, order: [] }
  return node.definition.steps.reduce(afterStep, tableOf(node.definition.input))
}

function combined(combine: Combine, columns: Columns, tableOf: (id: NodeId) => Table): Rows {
  switch (combine.kind) {
    case 'standalone':
      return tableOf(combine.input).rows
    case 'union':
      return combine.inputs.flatMap(({ input, label }) => {
        const own = tableOf(input)
        return own.rows.map(row =>
          Object.fromEntries(
            columns.map(({ name, type }) => [name, name === combine.tag ? label : as(row[name], typeOf(own, name), type)]),
          ),
        )
      })
    case 'join': {
      const left = tableOf(combine.left)
      const right = tableOf(combine.right)
      return pairsOf(left, right, combine.on, combine.join).map(([one, other]) => {
        const keys = combine.on.map(({ left: mine, right: theirs }) => [mine, keyOf(left, right, mine, theirs, one, other)])
        const kept = right.columns.filter(({ name }) => !combine.on.some(pair => pair.right === name))
        const rest = kept.map(({ name }) => [
          left.columns.some(column => column.name === name) ? `${name}_right` : name,
          other?.[name] ?? null,
        ])
        return { ...(one ?? {}), ...Object.fromEntries(rest), ...Object.fromEntries(keys) }
      })
    }
    case 'compare': {
      const left = tableOf(combine.left)
      const right = tableOf(combine.right)
      return pairsOf(left, right, combine.on, 'full').map(([one, other]) => {
        const same = combine.values.every(({ left: mine, right: theirs }) => {
          const common = commonOf(typeOf(left, mine), typeOf(right, theirs))
          return as(one?.[mine], typeOf(left, mine), common) === as(other?.[theirs], typeOf(right, theirs), common)
        })
        return {
          ...Object.fromEntries(
            combine.on.map(({ left: mine, right: theirs }) => [mine, keyOf(left, right, mine, theirs, one, other)]),
          ),
          ...Object.fromEntries(
            combine.values.flatMap(pair => [
              [`${pair.left}_left`, one?.[pair.left] ?? null],
              [`${pair.right}_right`, other?.[pair.right] ?? null],
            ]),
          ),
          status: other === undefined ? 'only_left' : one === undefined ? 'only_right' : same ? 'same' : 'different',
        }
      })
    }
  }
}

function keyOf(left: Table, right: Table, mine: string, theirs: string, one: Row | undefined, other: Row | undefined): Value {
  const common = commonOf(typeOf(left, mine), typeOf(right, theirs))
  return one === undefined ? as(other?.[theirs], typeOf(right, theirs), common) : as(one[mine], typeOf(left, mine), common)
}

function pairsOf(
  left: Table,
  right: Table,
  on: readonly { left: string; right: string }[],
  kind: 'inner' | 'left' | 'full',
): readonly (readonly [Row | undefined, Row | undefined])[] {
  const meets = (one: Row, other: Row) =>
    on.every(({ left: mine, right: theirs }) => {
      const common = commonOf(typeOf(left, mine), typeOf(right, theirs))
      const key = as(one[mine], typeOf(left, mine), common)
      return key !== null && key === as(other[theirs], typeOf(right, theirs), common)
    })
  const inner = left.rows.flatMap(one => right.rows.filter(other => meets(one, other)).map(other => [one, other] as const))
  const leftAlone = left.rows.filter(one => !right.rows.some(other => meets(one, other))).map(one => [one, undefined] as const)
  const rightAlone = right.rows
    .filter(other => !left.rows.some(one => meets(one, other)))
    .map(other => [undefined, other] as const)
  return [...inner, ...(kind === 'inner' ? [] : leftAlone), ...(kind === 'full' ? rightAlone : [])]
}

function afterStep(table: Table, step: PostStep): Table {
  const { rows, columns, order } = table
  switch (step.kind) {
    case 'filter':
      return {
        ...table,
        rows: rows.filter(row => step.conditions.every(condition => fulfils(row, condition, typeOf(table, condition.column)))),
      }
    case 'sort':
      return { ...table, order: step.by }
    case 'limit':
      return { ...table, rows: sorted(rows, columns, order).slice(0, step.rows) }
    case 'project':
      return projected(table, step.columns)
    case 'aggregate':
      return aggregated(table, step.by, step.measures)
  }
}

function projected(table: Table, columns: readonly Projected[]): Table {
  const typed = columns.map(column => ({ name: column.name, type: projectedType(table, column) }))
  const rows = table.rows.map(row => Object.fromEntries(columns.map(column => [column.name, projectedValue(table, column, row)])))
  const renamed = table.order.map(({ column, descending }) => {
    const kept = columns.find(each => each.kind === 'column' && each.column === column)
    return kept && { column: kept.name, descending }
  })
  const lost = renamed.indexOf(undefined)
  return { rows, columns: typed, order: renamed.slice(0, lost < 0 ? undefined : lost).flatMap(entry => entry ?? []) }
}

function projectedType(table: Table, column: Projected): ColumnType {
  if (column.kind === 'column') return typeOf(table, column.column)
  return column.kind === 'ratio' ? 'float' : commonOf(typeOf(table, column.from), typeOf(table, column.subtract))
}

function projectedValue(table: Table, column: Projected, row: Row): Value {
  if (column.kind === 'column') return row[column.column] ?? null
  const number = (name: string, type: ColumnType) => as(row[name], typeOf(table, name), type)
  if (column.kind === 'ratio') {
    const of = number(column.of, 'float')
    const by = number(column.by, 'float')
    return typeof of === 'number' && typeof by === 'number' && by !== 0 ? of / by : null
  }
  const common = projectedType(table, column)
  const from = number(column.from, common)
  const subtract = number(column.subtract, common)
  if (typeof from === 'bigint' && typeof subtract === 'bigint') return from - subtract
  return typeof from === 'number' && typeof subtract === 'number' ? from - subtract : null
}

function aggregated(table: Table, by: readonly string[], measures: readonly Measure[]): Table {
  const groups = new Map<string, Row[]>()
  if (by.length === 0) groups.set('', [])
  for (const row of table.rows) {
    const key = by.map(name => `${typeof row[name]} ${row[name]}`).join('|')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const columns = [
    ...by.map(name => ({ name, type: typeOf(table, name) })),
    ...measures.map(measure => ({ name: measure.name, type: measureType(table, measure) })),
  ]
  const rows = [...groups.values()].map(rows => ({
    ...Object.fromEntries(by.map(name => [name, rows[0]?.[name] ?? null])),
    ...Object.fromEntries(measures.map(measure => [measure.name, measured(table, rows, measure)])),
  }))
  return { rows, columns, order: [] }
}

function measureType(table: Table, { function: measure, column }: Measure): ColumnType {
  if (measure === 'count' || measure === 'count_distinct') return 'integer'
  return measure === 'avg' || measure === 'share' || column === null ? 'float' : typeOf(table, column)
}

function measured(table: Table, rows: Rows, { function: measure, column }: Measure): Value {
  const values = column === null ? rows.map(() => 1n) : rows.map(row => row[column] ?? null).filter(value => value !== null)
  const type = column === null ? 'integer' : typeOf(table, column)
  switch (measure) {
    case 'count':
      return BigInt(values.length)
    case 'count_distinct':
      return BigInt(new Set(values).size)
    case 'min':
    case 'max': {
      const ordered = [...values].sort((one, other) => order(one, other))
      return (measure === 'min' ? ordered[0] : ordered.at(-1)) ?? null
    }
    case 'sum':
      return sum(values)
    case 'avg': {
      const total = as(sum(values), type, 'float')
      return typeof total === 'number' ? total / values.length : null
    }
    case 'share': {
      const all = table.rows.map(row => (column === null ? 1n : (row[column] ?? null))).filter(value => value !== null)
      const part = as(sum(values), type, 'float')
      const whole = as(sum(all), type, 'float')
      return typeof part === 'number' && typeof whole === 'number' && whole !== 0 ? part / whole : null
    }
  }
}

function sum(values: readonly Value[]): Value {
  if (values.length === 0) return null
  if (typeof values[0] === 'bigint') return values.reduce<bigint>((total, value) => total + BigInt(value ?? 0), 0n)
  return values.reduce<number>((total, value) => total + Number(value), 0)
}

function fulfils(row: Row, { column, operator, values }: Condition, type: ColumnType): boolean {
  const value = row[column] ?? null
  if (operator === 'is_null') return value === null
  if (value === null) return false
  if (operator === 'is_not_null') return true
  const wanted = values.map(text => literal(text, type))
  const compared = wanted.map(each => order(comparable(value, type), each))
  switch (operator) {
    case 'in':
      return compared.includes(0)
    case 'not_in':
      return !compared.includes(0)
    default: {
      const [first = 0] = compared
      return { '=': first === 0, '!=': first !== 0, '<': first < 0, '<=': first <= 0, '>': first > 0, '>=': first >= 0 }[operator]
    }
  }
}

/** Numbers are compared in units, because a filter may give a decimal for an integer. */
function comparable(value: Value, type: ColumnType): Value {
  return type === 'integer' && typeof value === 'bigint' ? value * UNITS : value
}

function literal(text: string, type: ColumnType): Value {
  switch (type) {
    case 'integer':
    case 'decimal':
      return units(text)
    case 'float':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'datetime':
      return `${text} 00:00:00.000000`
    default:
      return text
  }
}

/** Reads a decimal as units of 1e-6. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * UNITS + BigInt(fraction.padEnd(6, '0').slice(0, 6))
  return text.startsWith('-') ? -size : size
}

function typeOf({ columns }: Table, name: string): ColumnType {
  const found = columns.find(column => column.name === name)
  if (found === undefined) throw new Error(`The reference has no column ${name}`)
  return found.type
}

function commonOf(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one
  const names = [one, other].sort().join(' ')
  const common: Readonly<Record<string, ColumnType>> = {
    'boolean integer': 'integer',
    'decimal integer': 'decimal',
    'decimal float': 'float',
    'float integer': 'float',
    'date datetime': 'datetime',
  }
  return common[names] ?? 'text'
}

function as(value: Value | undefined, from: ColumnType, to: ColumnType): Value {
  if (value === undefined || value === null || from === to) return value ?? null
  switch (to) {
    case 'text':
      return from === 'decimal' ? decimalText(BigInt(value)) : String(value)
    case 'integer':
      return value ? 1n : 0n
    case 'decimal':
      return BigInt(value) * UNITS
    case 'float':
      return Number(value) / (from === 'decimal' ? Number(UNITS) : 1)
    case 'datetime':
      return `${value} 00:00:00.000000`
    default:
      throw new Error(`The reference does not convert ${from} to ${to}`)
  }
}

function decimalText(value: bigint): string {
  const size = value < 0n ? -value : value
  const fraction = (size % UNITS).toString().padStart(6, '0').replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${size / UNITS}${fraction === '' ? '' : `.${fraction}`}`
}

function sorted(rows: Rows, columns: Columns, by: Table['order']): Rows {
  const rest = columns
    .filter(({ name }) => !by.some(({ column }) => column === name))
    .map(({ name }) => ({ column: name, descending: false }))
  return [...rows].sort((one, other) => {
    for (const { column, descending } of [...by, ...rest]) {
      const [mine = null, theirs = null] = [one[column], other[column]]
      if (mine === null || theirs === null) {
        if (mine !== theirs) return mine === null ? 1 : -1
        continue
      }
      const compared = order(mine, theirs)
      if (compared !== 0) return descending ? -compared : compared
    }
    return 0
  })
}

function order(one: Value, other: Value): number {
  if (one === other || one === null || other === null) return 0
  return one < other ? -1 : 1
}
