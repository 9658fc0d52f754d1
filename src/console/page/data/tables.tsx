import { useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import type { ColumnSchema } from '../../../warehouse/schema.ts'
import type { SourcesJson, TableJson } from '../../data-routes.ts'
import { useApi } from '../api.ts'
import { count, number } from '../format.ts'
import { Badge, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

/** The tables of all sources, and the one in the address. */
export function Tables() {
  const [address] = useSearchParams()
  const [search, setSearch] = useState('')
  const sources = useApi<SourcesJson>(`/console/api/data/sources${search.trim() && `?${new URLSearchParams({ search })}`}`)
  const table = useApi<TableJson>(address.has('table') ? `/console/api/data/table?${address}` : undefined)
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
        <Ready loaded={sources}>{all => all.map(source => <Source key={source.source} {...source} />)}</Ready>
      </search>
      {address.has('table') ? <Ready loaded={table}>{Details}</Ready> : <p class="soft">Choose a table to see its columns.</p>}
    </div>
  )
}

function Source({ source: name, dialect, description, error, table_count: all, tables }: SourcesJson[number]) {
  return (
    <section>
      <h2>
        {name} <small>{`${dialect} · ${count(all, 'table')}`}</small>
      </h2>
      <p class="small">{`${description}${tables.length < all ? ' Search for the other tables.' : ''}`}</p>
      {error && <Failure problem={error} />}
      {tables.map(({ table, comment, rows }) => (
        <Link key={table} class="entry" href={`/tables?${new URLSearchParams({ source: name, table })}`}>
          {table}
          <small>{`${rows === null ? '' : `${count(rows, 'row')} · `}${comment}`}</small>
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
      <p class="small">{[rows === null ? '' : count(rows, 'row'), engine, ...keys].filter(Boolean).join(' · ')}</p>
      <Table label={`Columns of ${name}`} columns={COLUMNS} rows={table.columns} keyOf={column => column.name} />
      {joins.map(({ columns, to, found }) => (
        <p key={to} class="small">
          {`${columns.join(', ')} → ${to}${found === null ? '' : `, which has ${Math.round(100 * found)} % of the values`}`}
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
  { head: 'NULL', kind: 'number', cell: ({ statistics }) => (statistics ? `${(100 * statistics.nullShare).toFixed(0)} %` : '–') },
  { head: 'Comment', cell: ({ comment }) => <span title={comment}>{comment}</span> },
]

function Values({ isPrivate, statistics }: ColumnSchema) {
  if (isPrivate) return <Badge tone="fair">Private</Badge>
  if (statistics === undefined) return <span class="soft">not gathered</span>
  const { min, max, samples } = statistics
  const text = samples.length > 0 ? samples.join(', ') : min === null ? '–' : `${min} to ${max}`
  return <span title={text}>{text}</span>
}
