import { useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import type { ColumnSchema } from '../../../warehouse/schema.ts'
import type { SourcesJson, TableJson } from '../../data-json.ts'
import { useApi } from '../api.ts'
import { count, number } from '../format.ts'
import { Badge, Empty, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

/** The tables of all sources, and the one in the address. */
export function Tables() {
  const [address] = useSearchParams()
  const [search, setSearch] = useState('')
  const asked = search.trim() === '' ? '' : `?${new URLSearchParams({ search })}`
  const loaded = useApi<SourcesJson>(`/console/api/data/sources${asked}`)
  return (
    <div class="beside">
      <search>
        <input
          type="search"
          aria-label="Search tables"
          placeholder="Search tables"
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
        <Ready loaded={loaded}>{sources => sources.map(source => <Source key={source.source} {...{ source, search }} />)}</Ready>
      </search>
      {address.has('table') ? <TableDetail address={String(address)} /> : <Empty>Choose a table to see its columns.</Empty>}
    </div>
  )
}

function Source({ source, search }: { readonly source: SourcesJson[number]; readonly search: string }) {
  const { source: name, dialect, description, error, table_count: all, tables } = source
  const words = search.toLowerCase().split(/\s+/)
  // Of a large catalog, the server lists the tables that the words may mean.
  const isWhole = tables.length === all
  const found = tables.filter(
    ({ table, comment }) => !isWhole || words.every(word => `${table} ${comment}`.toLowerCase().includes(word)),
  )
  return (
    <section>
      <h2>
        {name} <small>{`${dialect} · ${count(all, 'table')}`}</small>
      </h2>
      {description && <p class="small">{description}</p>}
      {error && <Failure problem={error} />}
      <ul class="list">
        {found.map(({ table, comment, rows }) => (
          <li key={table}>
            <Link href={`/tables?${new URLSearchParams({ source: name, table })}`}>
              <span>{table}</span>
              <small>{[rows === null ? '' : count(rows, 'row'), comment].filter(Boolean).join(' · ')}</small>
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && error === null && <Empty>No table has these words.</Empty>}
      {!isWhole && <p class="small">More tables are there: search for them.</p>}
    </section>
  )
}

function TableDetail({ address }: { readonly address: string }) {
  const loaded = useApi<TableJson>(`/console/api/data/table?${address}`)
  return (
    <Ready loaded={loaded}>
      {({ table, joins }) => (
        <section class="card">
          <h2>{`${table.database}.${table.name}`}</h2>
          <p>{table.comment}</p>
          <p class="small">
            {[
              table.rows === null ? '' : count(table.rows, 'row'),
              table.engine,
              table.sortingKey && `ordered by ${table.sortingKey}`,
              table.partitionKey && `partitioned by ${table.partitionKey}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <Table label={`Columns of ${table.name}`} columns={COLUMNS} rows={table.columns} keyOf={({ name }) => name} />
          {joins.length > 0 && <h2>Joins</h2>}
          <ul>
            {joins.map(({ columns, to, found }) => (
              <li key={to}>
                {`${columns.join(', ')} → ${to}`}
                {found !== null && <small>{` (${Math.round(100 * found)} % of the values are there)`}</small>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Ready>
  )
}

const COLUMNS: readonly Column<ColumnSchema>[] = [
  { head: 'Column', cell: ({ name }) => <code>{name}</code> },
  { head: 'Type', cell: ({ nativeType, type }) => <span title={type}>{nativeType ?? type}</span> },
  { head: 'Values', kind: 'wide', cell: column => <Values column={column} /> },
  { head: 'Different', kind: 'number', cell: ({ statistics }) => number(statistics?.distinct) },
  { head: 'NULL', kind: 'number', cell: ({ statistics }) => (statistics ? `${(100 * statistics.nullShare).toFixed(0)} %` : '–') },
  { head: 'Comment', cell: ({ comment }) => <span title={comment}>{comment}</span> },
]

function Values({ column: { isPrivate, statistics } }: { readonly column: ColumnSchema }) {
  if (isPrivate) return <Badge tone="fair">Private</Badge>
  if (statistics === undefined) return <span class="soft">not gathered</span>
  const { min, max, samples } = statistics
  const text = samples.length > 0 ? samples.join(', ') : min === null ? '–' : `${min} to ${max}`
  return <span title={text}>{text}</span>
}
