import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { GraphNodeJson, NodeJson, RunGraphJson } from '../../lineage-json.ts'
import { useApi } from '../api.ts'
import { count, number } from '../format.ts'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { type Choose, KINDS, ROLES, STATES } from './run.tsx'

interface Props {
  readonly base: string
  readonly job: string
  readonly node: GraphNodeJson
  readonly compared: RunGraphJson['compared']
  /** The followed value, and the column whose NULLs are shown. */
  readonly value: string | undefined
  readonly column: string | undefined
  readonly choose: Choose
  /** Lights up tables of the graph. */
  light(tables: readonly string[]): void
}

/** A selected table: its numbers of rows, its rows, its columns and where they come from, and its SQL. */
export function TablePanel(props: Props) {
  const { base, node, value, column, compared } = props
  const [tab, setTab] = useState('rows')
  const wanted: [string, string | undefined] = column === undefined ? ['holds', value] : ['null_in', column]
  const query = wanted[1] === undefined ? '' : `?${new URLSearchParams([[wanted[0], wanted[1]]])}`
  const loaded = useApi<NodeJson>(`${base}/nodes/${encodeURIComponent(node.table)}${query}`)
  const counts = [
    ['This run', node.rows],
    ...compared.map(({ role }, at) => [ROLES[role], node.rows_compared[at] ?? null] as const),
    ['Now', node.rows_now],
  ] as const
  return (
    <section class="card panel" aria-label={node.label}>
      <h2>{node.label}</h2>
      <p class="small">
        {node.table} · {KINDS[node.kind]}, {STATES[node.state]}
      </p>
      <dl>
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
            {data.notes.map(note => (
              <p key={note} class="soft">
                {note}
              </p>
            ))}
            <Tabs label="About the table" tabs={TABS} chosen={tab} choose={setTab}>
              {tab === 'rows' && <Rows {...props} data={data} />}
              {tab === 'columns' && <Columns data={data} light={props.light} />}
              {tab === 'sql' && <Sql data={data} />}
            </Tabs>
          </>
        )}
      </Ready>
    </section>
  )
}

const TABS = [
  { id: 'rows', label: 'Rows' },
  { id: 'columns', label: 'Columns' },
  { id: 'sql', label: 'SQL' },
]

function Rows({ data, job, node, value, column, choose, light }: Props & { readonly data: NodeJson }) {
  const [why, setWhy] = useState<NullCell>()
  useEffect(() => () => light([]), [light])
  const { rows } = data
  const ask = (name: string, row: readonly unknown[]) => {
    const key = row.map(textOf).find(text => text !== '') ?? ''
    setWhy({ column: name, key })
    light(data.columns.find(each => each.name === name)?.path ?? [])
    choose({ value: key === '' ? null : key })
  }
  const withNulls = data.columns.filter(({ nulls }) => nulls !== null && nulls > 0)
  return (
    <>
      {why && <Why null={why} data={data} job={job} />}
      <p class="row">
        {withNulls.map(({ name, nulls }) => (
          <button key={name} type="button" aria-pressed={column === name} onClick={() => choose({ column: name })}>
            {number(nulls)} NULL in {name}
          </button>
        ))}
        {(column ?? value) !== undefined && (
          <button type="button" onClick={() => choose({ column: null, value: null })}>
            All rows
          </button>
        )}
      </p>
      {rows !== null && (
        <>
          <p class="small">
            {rows.rows.length === 0 ? 'No row' : count(rows.rows.length, 'row')}
            {column !== undefined ? ` with NULL in ${column}` : value !== undefined ? ` with ${value}` : ''}. Press a value to
            follow it through the tables, or NULL to learn where it comes from.
          </p>
          <Table
            label={`Rows of ${node.label}`}
            rows={rows.rows}
            columns={rows.columns.map((name, at) => ({
              head: name,
              cell: (row: readonly unknown[]) => {
                const text = textOf(row[at])
                const isNull = row[at] === null
                return (
                  <button
                    type="button"
                    class={`link cell ${isNull ? 'null' : ''}`}
                    onClick={() => (isNull ? ask(name, row) : choose({ value: text, column: null }))}
                  >
                    {isNull ? 'NULL' : text}
                  </button>
                )
              },
            }))}
          />
        </>
      )}
    </>
  )
}

/** Explains a NULL: where the column comes from, what decides about rows, and what to press next. */
function Why({ null: { column, key }, data, job }: { readonly null: NullCell; readonly data: NodeJson; readonly job: string }) {
  const from = data.columns.find(({ name }) => name === column)?.from
  const text = `lineage ${job} why is the ${column} of ${key} NULL?`
  return (
    <div class="why" role="status">
      <strong>
        Why is the {column} of {key} NULL?
      </strong>
      <ol>
        <li>{from == null ? 'Nothing is logged of where its values come from.' : <>Its values come from {from}.</>}</li>
        {data.joined_by !== null && <li>They were looked up by {data.joined_by}.</li>}
        <li>
          The graph shows which tables hold <strong>{key}</strong>. Open an input that does, and press the value in the column of
          the look-up.
        </li>
        <li>A table where no row holds that value is the cause.</li>
      </ol>
      <Link class="button" href={`~/ask?${new URLSearchParams({ text })}`}>
        Ask Clew
      </Link>
    </div>
  )
}

interface NullCell {
  readonly column: string
  /** The first value of the row, by which people know it. */
  readonly key: string
}

function Columns({ data, light }: { readonly data: NodeJson; light(tables: readonly string[]): void }) {
  useEffect(() => () => light([]), [light])
  return (
    <>
      <Table
        label="Columns"
        rows={data.columns}
        keyOf={({ name }) => name}
        columns={[
          {
            head: 'Column',
            cell: ({ name, path }) =>
              path.length === 0 ? (
                name
              ) : (
                <button type="button" class="link" onClick={() => light(path)}>
                  {name}
                </button>
              ),
          },
          { head: 'Type', cell: ({ type }) => type },
          { head: 'NULL now', kind: 'number', cell: ({ nulls }) => number(nulls) },
          { head: 'Comes from', cell: ({ from, comment }) => <span title={comment}>{from}</span> },
        ]}
      />
      {data.decided_by !== null && <p class="small">Which rows there are is decided by {data.decided_by}.</p>}
    </>
  )
}

function Sql({ data: { made_by: made } }: { readonly data: NodeJson }) {
  if (made === null) return <Empty>This run did not make the table, or its SQL is hidden from you.</Empty>
  return (
    <>
      <pre>
        <code>{made.template || made.sql}</code>
      </pre>
      {made.template !== '' && made.sql !== '' && (
        <details>
          <summary>As it ran</summary>
          <pre>
            <code>{made.sql}</code>
          </pre>
        </details>
      )}
    </>
  )
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
