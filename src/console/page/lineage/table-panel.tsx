import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { GraphNodeJson, NodeJson } from '../../lineage-json.ts'
import { useApi } from '../api.ts'
import { number } from '../format.ts'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { ROLES, type RunView, STATES } from './run.tsx'

type Props = RunView & { readonly base: string; readonly node: GraphNodeJson }

const TABS = ['Rows', 'Columns', 'SQL'].map(label => ({ id: label, label }))

/** A selected table: its numbers of rows, its rows, its columns and where they come from, and its SQL. */
export function TablePanel(props: Props) {
  const { base, node, value, column, graph } = props
  const [tab, setTab] = useState('Rows')
  const holds = value === undefined ? '' : `?holds=${encodeURIComponent(value)}`
  const query = column === undefined ? holds : `?null_in=${encodeURIComponent(column)}`
  const loaded = useApi<NodeJson>(`${base}/nodes/${encodeURIComponent(node.table)}${query}`)
  const counts: readonly (readonly [string, number | null | undefined])[] = [
    ['This run', node.rows],
    ...graph.compared.map(({ role }, at) => [ROLES[role], node.rows_compared[at]] as const),
    ['Now', node.rows_now],
  ]
  return (
    <section class="card" aria-label={node.label}>
      <h2>{node.label}</h2>
      <p class="small">{`${node.table} · ${node.kind}, ${STATES[node.state]}`}</p>
      <dl class="row">
        {counts.map(([name, rows]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(rows)}</dd>
          </div>
        ))}
      </dl>
      {node.drift.map(sentence => (
        <p key={sentence}>
          <Badge tone="fair">drifted</Badge> {sentence}
        </p>
      ))}
      <Ready loaded={loaded}>
        {data => (
          <>
            {data.made_by?.error && <Failure problem={data.made_by.error} />}
            {data.notes.length > 0 && <p class="soft">{data.notes.join(' ')}</p>}
            <Tabs label="About the table" tabs={TABS} chosen={tab} choose={setTab}>
              {tab === 'Rows' && <Rows {...props} data={data} />}
              {tab === 'Columns' && <Table label="Columns" rows={data.columns} columns={COLUMNS} />}
              {tab === 'SQL' &&
                (data.made_by === null ? (
                  <Empty>This run did not make the table, or its SQL is hidden.</Empty>
                ) : (
                  <Sql {...data.made_by} />
                ))}
            </Tabs>
          </>
        )}
      </Ready>
    </section>
  )
}

const COLUMNS: readonly Column<NodeJson['columns'][number]>[] = [
  { head: 'Column', cell: ({ name }) => name },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'NULL now', kind: 'number', cell: ({ nulls }) => number(nulls) },
  { head: 'Comes from', cell: ({ from, comment }) => <span title={comment}>{from}</span> },
]

function Sql({ template, sql }: { readonly template: string; readonly sql: string }) {
  return (
    <pre>
      <code>{template || sql}</code>
    </pre>
  )
}

function Rows(props: Props & { readonly data: NodeJson }) {
  const { data, node, value, column, choose, light } = props
  /** The column with NULL, and the first value of its row, by which people know the row. */
  const [missing, setMissing] = useState<readonly [column: string, key: string]>()
  useEffect(() => () => light([]), [light])
  if (data.rows === null) return null
  const press = (name: string, row: readonly unknown[], text: string | undefined) => {
    if (text !== undefined) return choose({ value: text, column: null })
    const key = textOf(row[0]) ?? ''
    setMissing([name, key])
    choose({ value: key })
  }
  return (
    <>
      {missing && <Why {...props} missing={missing} />}
      <p class="row">
        {data.columns.map(({ name, nulls }) =>
          nulls ? (
            <button key={name} type="button" aria-pressed={column === name} onClick={() => choose({ column: name })}>
              {number(nulls)} NULL in {name}
            </button>
          ) : null,
        )}
        {(column ?? value) !== undefined && (
          <button type="button" onClick={() => choose({ column: null, value: null })}>
            All rows
          </button>
        )}
      </p>
      <p class="small">
        {data.rows.rows.length === 0 && 'No such row. '}Press a value to follow it through the tables, or NULL to learn where it
        comes from.
      </p>
      <Table
        label={`Rows of ${node.label}`}
        rows={data.rows.rows}
        columns={data.rows.columns.map((name, at): Column<readonly unknown[]> => {
          const cell = (row: readonly unknown[]) => (
            <button type="button" class="link" onClick={() => press(name, row, textOf(row[at]))}>
              {textOf(row[at]) ?? <strong>NULL</strong>}
            </button>
          )
          return { head: name, cell }
        })}
      />
    </>
  )
}

/** Explains a NULL: where the column comes from, what its values were looked up by, and what to press next. */
function Why({
  graph,
  data,
  missing: [column, key],
}: Props & { readonly data: NodeJson; readonly missing: readonly [string, string] }) {
  const from = data.columns.find(({ name }) => name === column)?.from
  const text = `lineage ${graph.run.job} why is the ${column} of ${key} NULL?`
  return (
    <div class="why" role="status">
      <strong>{`Why is the ${column} of ${key} NULL?`}</strong>
      <ol>
        {from && <li>Its values come from {from}.</li>}
        {data.joined_by && <li>They were looked up by {data.joined_by}.</li>}
        <li>The graph lights up the tables that hold {key}. Open an input, and press the value in the column of the look-up.</li>
        <li>A table where no row holds that value is the cause.</li>
      </ol>
      <Link class="button" href={`~/ask?${new URLSearchParams({ text })}`}>
        Ask Clew
      </Link>
    </div>
  )
}

function textOf(cell: unknown): string | undefined {
  if (cell === null || cell === undefined) return undefined
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
