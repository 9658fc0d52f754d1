import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { GraphNodeJson, NodeJson } from '../../lineage-views.ts'
import type { WhyNullJson } from '../../why-null.ts'
import { useApi } from '../api.ts'
import { number } from '../format.ts'
import { Action } from '../parts/action.tsx'
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
                  <pre>{data.made_by.template || data.made_by.sql}</pre>
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

function Rows(props: Props & { readonly data: NodeJson }) {
  const { data, node, value, column, choose } = props
  /** The column with NULL, and the first value of its row, by which people know the row. */
  const [missing, setMissing] = useState<readonly [column: string, key: string]>()
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
            <Action
              key={name}
              label={`${number(nulls)} NULL in ${name}`}
              isOn={column === name}
              work={() => choose({ column: name })}
            />
          ) : null,
        )}
        {(column ?? value) !== undefined && <Action label="All rows" work={() => choose({ column: null, value: null })} />}
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

/** Follows a NULL back to the table that lacks the value. */
function Why({ graph, base, node, choose, missing }: Props & { readonly missing: readonly [string, string] }) {
  const [column, key] = missing
  const asked = new URLSearchParams({ column, key })
  const found = useApi<WhyNullJson>(`${base}/nodes/${encodeURIComponent(node.table)}/why?${asked}`)
  const text = `lineage ${graph.run.job} why is the ${column} of ${key} NULL?`
  return (
    <div class="why" role="status">
      <strong>{`Why is the ${column} of ${key} NULL?`}</strong>
      <Ready loaded={found}>
        {({ sentences, table, value }) => (
          <>
            <ol>
              {sentences.map(sentence => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ol>
            {table !== null && <Action label={`Follow ${value}`} work={() => choose({ table, value, column: null })} />}{' '}
          </>
        )}
      </Ready>
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
