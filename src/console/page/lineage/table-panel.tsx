import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { GraphNodeJson, NodeJson } from '../../lineage-views.ts'
import type { WhyNullJson } from '../../why-null.ts'
import { facts, number, withQuery } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Badge, Empty, Failure, Figures, Load } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { ROLES, type RunView, STATES } from './run.tsx'

/** `missing`: a column with NULL, and the first value of its row, by which people know the row. */
type Props = RunView & { readonly node: GraphNodeJson; readonly missing?: Readonly<Record<'column' | 'key', string>> }

const TABS = ['Rows', 'Columns', 'SQL'].map(label => ({ id: label, label }))

const COLUMNS: readonly Column<NodeJson['columns'][number]>[] = [
  { head: 'Column', cell: ({ name }) => name },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'NULL now', kind: 'number', cell: ({ nulls }) => number(nulls) },
  { head: 'Comes from', cell: ({ from, comment }) => <span title={comment}>{from}</span> },
]

/** A selected table: its numbers of rows, its rows, its columns and where they come from, and its SQL. */
export function TablePanel(props: Props) {
  const { base, node, chosen, graph } = props
  const [tab, setTab] = useState('Rows')
  const { column, value } = chosen
  const asked = column === undefined ? { holds: value } : { null_in: column }
  const compared = graph.compared.map(({ role }, at) => [ROLES[role], number(node.rows_compared[at])] as const)
  return (
    <section class="card" aria-label={node.label}>
      <h2>{node.label}</h2>
      <p class="small">{facts(node.table, `${node.kind}, ${STATES[node.state]}`)}</p>
      <Figures of={[['This run', number(node.rows)], ...compared, ['Now', number(node.rows_now)]]} />
      {node.drift.map(sentence => (
        <p key={sentence}>
          <Badge tone="fair" text="drifted" /> {sentence}
        </p>
      ))}
      <Load<NodeJson> path={withQuery(`${base}/nodes/${encodeURIComponent(node.table)}`, asked)}>
        {data => (
          <>
            {data.made_by?.error && <Failure problem={data.made_by.error} />}
            {data.notes.length > 0 && <p class="soft">{data.notes.join(' ')}</p>}
            <Tabs label="About the table" tabs={TABS} chosen={tab} choose={setTab}>
              {tab === 'Rows' && data.rows && <Rows {...props} data={data} rows={data.rows} />}
              {tab === 'Columns' && <Table label="Columns" rows={data.columns} columns={COLUMNS} />}
              {tab === 'SQL' && data.made_by && <pre>{data.made_by.template || data.made_by.sql}</pre>}
              {tab === 'SQL' && !data.made_by && <Empty>This run did not make the table, or its SQL is hidden.</Empty>}
            </Tabs>
          </>
        )}
      </Load>
    </section>
  )
}

function Rows(props: Props & { readonly data: NodeJson; readonly rows: NonNullable<NodeJson['rows']> }) {
  const { data, rows, node, chosen, choose } = props
  const [missing, setMissing] = useState<Props['missing']>()
  const press = (column: string, row: readonly unknown[], text: string | undefined) => {
    const key = textOf(row[0]) ?? ''
    if (text === undefined) setMissing({ column, key })
    choose(text === undefined ? { value: key } : { value: text, column: undefined })
  }
  const columns = rows.columns.map((head, at): Column<readonly unknown[]> => {
    const cell = (row: readonly unknown[]) => (
      <button type="button" class="link" onClick={() => press(head, row, textOf(row[at]))}>
        {textOf(row[at]) ?? <strong>NULL</strong>}
      </button>
    )
    return { head, cell }
  })
  return (
    <>
      {missing && <Why {...props} missing={missing} />}
      <p class="row">
        {data.columns.map(({ name, nulls }) => {
          const label = `${number(nulls)} NULL in ${name}`
          return nulls ? (
            <Action key={name} {...{ label }} isOn={chosen.column === name} work={() => choose({ column: name })} />
          ) : null
        })}
        {(chosen.column ?? chosen.value) !== undefined && (
          <Action label="All rows" work={() => choose({ column: undefined, value: undefined })} />
        )}
      </p>
      <p class="small">
        {rows.rows.length === 0 && 'No such row. '}Press a value to follow it through the tables, or NULL to learn where it comes
        from.
      </p>
      <Table label={`Rows of ${node.label}`} rows={rows.rows} columns={columns} />
    </>
  )
}

/** Follows a NULL back to the table that lacks the value. */
function Why({ graph, base, node, choose, missing }: Required<Props>) {
  const question = `why is the ${missing.column} of ${missing.key} NULL?`
  return (
    <div class="note" role="status">
      <strong>{question.replace('w', 'W')}</strong>
      <Load<WhyNullJson> path={`${base}/nodes/${encodeURIComponent(node.table)}/why?${new URLSearchParams({ ...missing })}`}>
        {({ sentences, table, value }) => (
          <>
            <ol>
              {sentences.map(sentence => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ol>
            {table !== null && (
              <Action label={`Follow ${value}`} work={() => choose({ table, value: `${value}`, column: undefined })} />
            )}{' '}
          </>
        )}
      </Load>
      <Link class="button" href={withQuery('/ask', { text: `lineage ${graph.run.job} ${question}` })}>
        Ask Clew
      </Link>
    </div>
  )
}

function textOf(cell: unknown): string | undefined {
  if (cell === null || cell === undefined) return undefined
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
