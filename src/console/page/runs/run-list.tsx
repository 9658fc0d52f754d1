import { useEffect, useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import type { RunChangesJson, RunLine, RunsJson } from '../../runs-json.ts'
import { CONFIDENCE } from '../answer/answer.tsx'
import { call, type Loaded, useAction, useApi } from '../api.ts'
import { count, duration, moment, money } from '../format.ts'
import { Choice } from '../parts/choice.tsx'
import { Badge, Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

const LIVE_MS = 3_000
const OUTCOMES = {
  running: ['quiet', 'Running'],
  answered: ['good', 'Answered'],
  partly_answered: ['fair', 'Answered in part'],
  asked_back: ['quiet', 'Asked back'],
  failed: ['bad', 'Failed'],
  refused: ['fair', 'Refused'],
  stopped: ['quiet', 'Stopped'],
} as const satisfies Record<RunLine['outcome'], readonly [string, string]>

/** The list of runs. Its filters stand in the address, under the names that the server takes. */
export function RunList() {
  const [search, setSearch] = useSearchParams()
  const path = `/console/api/runs?${search}`
  const loaded = useApi<RunsJson>(path)
  const [further, setFurther] = useState<Pick<RunsJson, 'runs' | 'next'> & { readonly path: string }>()
  const [picked, setPicked] = useState<readonly string[]>([])
  const { act, isBusy, problem } = useAction()
  useLive(loaded)
  const set = (name: string, value: string) =>
    setSearch(
      last => {
        const next = new URLSearchParams(last)
        value === '' ? next.delete(name) : next.set(name, value)
        return next
      },
      { replace: true },
    )
  const more = further?.path === path ? further : undefined
  const next = (more ?? loaded.data)?.next
  const readMore = async () => {
    const page = await call<RunsJson>(`${path}&before=${next}`)
    setFurther({ path, next: page.next, runs: [...(more?.runs ?? []), ...page.runs] })
  }
  const pick = ({ id }: RunLine) =>
    setPicked(picked.includes(id) ? picked.filter(other => other !== id) : [...picked.slice(-1), id])
  return (
    <>
      <div class="row">
        <h1>Runs</h1>
        {loaded.data && <span class="soft">{count(loaded.data.total, 'run')}</span>}
        {picked.length === 2 && (
          <Link class="button" href={`/compare?a=${picked[0]}&b=${picked[1]}`}>
            Compare the two
          </Link>
        )}
      </div>
      <Filters search={search} set={set} runs={loaded.data} />
      {problem && <Failure problem={problem} />}
      <Ready loaded={loaded}>
        {({ runs }) => (
          <Table
            label="Runs"
            columns={columns(picked, pick)}
            rows={[...runs, ...(more?.runs ?? [])]}
            keyOf={({ id }) => id}
            atEnd={() => next && !isBusy && act(readMore)}
          />
        )}
      </Ready>
    </>
  )
}

/** Reads the list again whenever a run has begun or ended, and until it could be read, as long as somebody looks at it. */
function useLive({ data, problem, reload }: Loaded<RunsJson>): void {
  const since = data?.at
  useEffect(() => {
    const look = async () => {
      if (document.hidden || (problem === undefined && since === undefined)) return
      if (problem !== undefined) return reload()
      const { runs } = await call<RunChangesJson>(`/console/api/runs/changes?since=${since}`)
      if (runs.length > 0) reload()
    }
    const timer = setInterval(() => look().catch(reload), LIVE_MS)
    return () => clearInterval(timer)
  }, [since, problem, reload])
}

function columns(picked: readonly string[], pick: (run: RunLine) => void): readonly Column<RunLine>[] {
  return [
    {
      head: <span title="Pick two to compare">⇄</span>,
      kind: 'aside',
      cell: run => (
        <input type="checkbox" aria-label="Pick to compare" checked={picked.includes(run.id)} onChange={() => pick(run)} />
      ),
    },
    { head: 'Time', cell: ({ at }) => moment(at) },
    { head: 'Question', kind: 'wide', cell: ({ id, question }) => <Link href={`/${id}`}>{question ?? 'Hidden'}</Link> },
    { head: 'Person', kind: 'aside', cell: ({ person, place }) => <span title={place}>{person}</span> },
    { head: 'Outcome', cell: run => <Outcome run={run} /> },
    { head: 'Confidence', kind: 'aside', cell: ({ confidence }) => confidence && <Confidence level={confidence} /> },
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

export function Outcome({ run: { outcome, error } }: { readonly run: RunLine }) {
  const [tone, word] = OUTCOMES[outcome]
  return (
    <Badge tone={tone}>
      {word}
      {error !== null && `: ${error.replaceAll('_', ' ')}`}
    </Badge>
  )
}

export function Confidence({ level }: { readonly level: NonNullable<RunLine['confidence']> }) {
  const [tone, word] = CONFIDENCE[level]
  return <Badge tone={tone}>{word}</Badge>
}

interface FiltersProps {
  readonly search: URLSearchParams
  set(name: string, value: string): void
  readonly runs: Pick<RunsJson, 'people' | 'channels' | 'sources'> | undefined
}

const same = (values: readonly string[] = []) => Object.fromEntries(values.map(value => [value, value]))
const words = (of: Readonly<Record<string, readonly [string, string]>>) =>
  Object.fromEntries(Object.entries(of).map(([value, [, word]]) => [value, word]))

function Filters({ search, set, runs }: FiltersProps) {
  const choices: readonly (readonly [name: string, label: string, options: Readonly<Record<string, string>>])[] = [
    ['person', 'Anyone', same(runs?.people)],
    ['channel', 'Any channel', same(runs?.channels)],
    ['source', 'Any source', same(runs?.sources)],
    ['outcome', 'Any outcome', words(OUTCOMES)],
    ['confidence', 'Any confidence', words(CONFIDENCE)],
    ['from', 'Any time', { [daysAgo(0)]: 'Today', [daysAgo(7)]: 'Last 7 days', [daysAgo(30)]: 'Last 30 days' }],
    ['min_ms', 'Any duration', { 5000: '5 s or longer', 15000: '15 s or longer', 60000: '60 s or longer' }],
    ['min_cost', 'Any cost', { '0.01': '$0.01 or more', '0.1': '$0.1 or more', '1.0': '$1 or more' }],
    [
      'sort',
      'Latest first',
      { ms: 'Longest first', query: 'Slowest query first', cost: 'Costliest first', tokens: 'Most tokens first' },
    ],
  ]
  return (
    <search class="filters row">
      <input
        type="search"
        aria-label="Words of the question"
        placeholder="Words of the question"
        maxLength={200}
        value={search.get('text') ?? ''}
        onInput={event => set('text', event.currentTarget.value)}
      />
      {choices.map(([name, label, options]) => (
        <Choice
          key={name}
          label={label}
          options={{ '': label, ...options }}
          chosen={search.get(name) ?? ''}
          choose={value => set(name, value)}
        />
      ))}
    </search>
  )
}

/** The beginning of a day in the reader's time zone. */
function daysAgo(days: number): string {
  return new Date(new Date().setHours(0, 0, 0, 0) - days * 86_400_000).toISOString()
}
