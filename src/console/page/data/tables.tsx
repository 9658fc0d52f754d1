import { Link } from 'wouter-preact'
import type { ColumnSchema } from '../../../warehouse/schema.ts'
import type { SourcesJson, TableJson } from '../../data-routes.ts'
import { count, facts, number, percent, withQuery } from '../format.ts'
import { Filters, useAddress } from '../parts/controls.tsx'
import { Badge, Empty, Failure, Load } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

/** The tables of all sources, and the one in the address. */
export function Tables() {
  const [{ search = '', source, table }] = useAddress()
  return (
    <div class="beside">
      <div>
        <Filters filters={[{ name: 'search', label: 'Search tables' }]} />
        <Load<SourcesJson> path={withQuery('/console/api/data/sources', { search: search.trim() })}>
          {all => all.map(each => <Source key={each.source} {...each} search={search} />)}
        </Load>
      </div>
      {!table && <Empty>Choose a table to see its columns.</Empty>}
      {table && <Load<TableJson> path={withQuery('/console/api/data/table', { source, table })}>{Details}</Load>}
    </div>
  )
}

function Source({ source, search, description, ...of }: SourcesJson[number] & { readonly search: string }) {
  const { dialect, error, table_count: all, tables } = of
  return (
    <section>
      <h2>
        {source} <small>{facts(dialect, count(all, 'table'))}</small>
      </h2>
      <p class="small">{`${description}${tables.length < all ? ' Search for the other tables.' : ''}`}</p>
      {error && <Failure problem={error} />}
      {tables.map(({ table, comment, rows }) => (
        <Link key={table} class="entry" href={withQuery('/data', { source, table, search })}>
          {table}
          <small>{facts(rows !== null && count(rows, 'row'), comment)}</small>
        </Link>
      ))}
    </section>
  )
}

function Details({ table, joins }: TableJson) {
  const { database, name, comment, rows, engine, sortingKey, partitionKey } = table
  const keys = [sortingKey && `ordered by ${sortingKey}`, partitionKey && `partitioned by ${partitionKey}`]
  return (
    <section class="card">
      <h2>{`${database}.${name}`}</h2>
      <p>{comment}</p>
      <p class="small">{facts(rows !== null && count(rows, 'row'), engine, ...keys)}</p>
      <Table label={`Columns of ${name}`} columns={COLUMNS} rows={table.columns} />
      {joins.map(({ columns, to, found }) => (
        <p key={to} class="small">
          {`${columns.join(', ')} → ${to}${found === null ? '' : `, which has ${percent(found)} of the values`}`}
        </p>
      ))}
    </section>
  )
}

const COLUMNS: readonly Column<ColumnSchema>[] = [
  { head: 'Column', cell: ({ name }) => <code>{name}</code> },
  { head: 'Type', cell: ({ nativeType, type }) => <span title={type}>{nativeType ?? type}</span> },
  { head: 'Values', kind: 'wide', cell: column => <Values {...column} /> },
  { head: 'Different', kind: 'number', cell: ({ statistics }) => number(statistics?.distinct) },
  { head: 'NULL', kind: 'number', cell: ({ statistics }) => percent(statistics?.nullShare) },
  { head: 'Comment', cell: ({ comment }) => <span title={comment}>{comment}</span> },
]

function Values({ isPrivate, statistics }: ColumnSchema) {
  if (isPrivate) return <Badge tone="fair" text="Private" />
  if (statistics === undefined) return <span class="soft">not gathered</span>
  const { min, max, samples } = statistics
  const text = samples.length > 0 ? samples.join(', ') : min === null ? '–' : `${min} to ${max}`
  return <span title={text}>{text}</span>
}
