import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { RunLine, RunsJson } from '../../runs-json.ts'
import { useApi } from '../api.ts'
import { count, duration, errorInWords, moment, money, nameInWords, withQuery } from '../format.ts'
import { type Filter, Filters, NextPage, type Options, optionsOf, useAddress } from '../parts/controls.tsx'
import { Ready, State, stateName } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const OUTCOMES = ['running', 'answered', 'partly_answered', 'asked_back', 'failed', 'refused', 'stopped']
const SORTS = { ms: 'Longest first', query: 'Slowest query first', cost: 'Costliest first', tokens: 'Most tokens first' }

/** The list of runs. Its filters stand in the address, under the names that the server takes. */
export function RunList() {
  const [address] = useAddress()
  const loaded = useApi<RunsJson>(withQuery('/console/api/runs', address), 3_000)
  const [picked, setPicked] = useState<readonly string[]>([])
  const pick = ({ id }: RunLine) =>
    setPicked(picked.includes(id) ? picked.filter(other => other !== id) : [...picked.slice(-1), id])
  return (
    <>
      <div class="row">
        <h1>Runs</h1>
        {loaded.data && <span class="soft">{count(loaded.data.total, 'run')}</span>}
        {picked.length === 2 && <Link href={withQuery('/runs/compare', { a: picked[0], b: picked[1] })}>Compare the two</Link>}
      </div>
      <Filters filters={filters(loaded.data)} />
      <Ready loaded={loaded}>
        {({ runs, next }) => (
          <>
            <Table label="Runs" empty="No run fits these filters." columns={columns(picked, pick)} rows={runs} />
            <NextPage before={next} />
          </>
        )}
      </Ready>
    </>
  )
}

function columns(picked: readonly string[], pick: (run: RunLine) => void): readonly Column<RunLine>[] {
  const box = { type: 'checkbox', 'aria-label': 'Pick to compare' }
  return [
    {
      head: <span title="Pick two to compare">⇄</span>,
      kind: 'aside',
      cell: run => <input {...box} checked={picked.includes(run.id)} onChange={() => pick(run)} />,
    },
    { head: 'Time', cell: ({ at }) => moment(at) },
    { head: 'Question', kind: 'wide', cell: ({ id, question }) => <Link href={`/runs/${id}`}>{question ?? 'Hidden'}</Link> },
    { head: 'Person', kind: 'aside', cell: ({ person, place }) => <span title={nameInWords(place)}>{nameInWords(person)}</span> },
    { head: 'Outcome', cell: run => <Outcome {...run} /> },
    { head: 'Confidence', kind: 'aside', cell: ({ confidence }) => <State of={confidence} /> },
    {
      head: 'Queries',
      kind: 'number aside',
      cell: run => `${run.queries}${run.failed_queries > 0 ? ` (${run.failed_queries} failed)` : ''}`,
    },
    { head: 'Slowest query', kind: 'number aside', cell: ({ longest_query_ms: ms }) => duration(ms) },
    { head: 'Time taken', kind: 'number aside', cell: ({ ms }) => duration(ms) },
    { head: 'Cost', kind: 'number aside', cell: ({ cost }) => money(cost) },
  ]
}

export function Outcome({ outcome, error }: RunLine) {
  return <State of={outcome} more={error ? `: ${errorInWords(error)}` : ''} />
}

/** @param listed has the people, channels and sources */
function filters(listed: RunsJson | undefined): readonly Filter[] {
  const choice = (name: string, label: string, options: Options): Filter => ({ name, label, options: [['', label], ...options] })
  const since = (days: number) => new Date(new Date().setHours(0, 0, 0, 0) - days * 86_400_000).toISOString()
  return [
    { name: 'text', label: 'Words of the question' },
    choice('person', 'Anyone', optionsOf(listed?.people, nameInWords)),
    choice('channel', 'Any channel', optionsOf(listed?.channels, nameInWords)),
    choice('source', 'Any source', optionsOf(listed?.sources)),
    choice('outcome', 'Any outcome', optionsOf(OUTCOMES, stateName)),
    choice('confidence', 'Any confidence', optionsOf(['HIGH', 'MEDIUM', 'LOW'], stateName)),
    choice(
      'from',
      'Any time',
      [0, 7, 30].map(days => [since(days), days === 0 ? 'Today' : `Last ${days} days`]),
    ),
    choice(
      'min_ms',
      'Any duration',
      optionsOf(['5000', '15000', '60000'], ms => `${Number(ms) / 1_000} s or longer`),
    ),
    choice(
      'min_cost',
      'Any cost',
      optionsOf(['0.01', '0.1', '1.0'], dollars => `${money(Number(dollars))} or more`),
    ),
    choice('sort', 'Latest first', Object.entries(SORTS)),
  ]
}
