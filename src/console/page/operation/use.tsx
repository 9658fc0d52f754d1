import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { UsageJson, Used } from '../../operation-routes.ts'
import { money, number } from '../format.ts'
import { Choice } from '../parts/choice.tsx'
import { Empty, Ready } from '../parts/states.tsx'
import { useLive } from './operation.tsx'

const WINDOWS = { 1: 'today', 7: 'the last 7 days', 30: 'the last 30 days', 90: 'the last 90 days' }
const MEASURES: Readonly<Record<string, string>> = {
  cost: 'cost in US dollars',
  questions: 'questions',
  tokens: 'tokens of models',
  bytes: 'bytes that queries read',
}

/** Who used how much, by name and day, and what is near to its cap. */
export function Use() {
  const [days, setDays] = useState('7')
  const [by, setBy] = useState('')
  const loaded = useLive<UsageJson>(`/console/api/operation/usage?days=${days}${by && `&by=${by}`}`, 60_000)
  return (
    <section>
      <div class="row">
        <h2>Use</h2>
        <Choice label="Days" options={WINDOWS} chosen={days} choose={setDays} />
        <Choice label="Measure" options={MEASURES} chosen={by || (loaded.data?.by ?? '')} choose={setBy} />
      </div>
      <Ready loaded={loaded}>{usage => <Charts usage={usage} />}</Ready>
    </section>
  )
}

function Charts({ usage: { by, days, kinds, caps, time_zone: zone } }: { readonly usage: UsageJson }) {
  const total = days.reduce((sum, { used }) => sum + used, 0)
  const [first] = kinds.find(({ kind }) => kind === 'person')?.most ?? []
  if (total === 0) return <Empty>Nothing was counted. CLEW_PRICES_FILE gives models a price that Clew does not know.</Empty>
  return (
    <>
      <p>
        {first && (
          <>
            <strong>{first.name}</strong> {by === 'cost' ? 'spent' : 'used'} the most: <strong>{amount(first.used, by)}</strong>{' '}
            of{' '}
          </>
        )}
        {amount(total, by)} in all.{' '}
        <span class="small">
          {MEASURES[by]}, {days[0]?.name} to {days.at(-1)?.name}, days of {zone}
        </span>
      </p>
      <div class="use">
        {kinds.map(
          ({ kind, most, others }) =>
            kind !== 'all' && <Bars key={kind} title={`By ${kind}`} {...{ kind, others }} rows={most} by={by} />,
        )}
        <Bars title="By day" rows={days} by={by} />
        {caps.map(({ per, of, window, limit, soft, nearest }) => (
          <Bars
            key={`${per} ${of} ${window} ${limit}`}
            title={`Cap of ${amount(limit, of)} ${of} per ${per} and ${window}${soft ? ', soft' : ''}`}
            {...{ kind: per, limit }}
            rows={nearest}
            by={of}
          />
        ))}
      </div>
    </>
  )
}

function amount(used: number, by: string): string {
  if (by === 'cost') return money(used)
  if (by !== 'bytes') return number(used)
  const power = Math.min(4, Math.floor(Math.log10(Math.max(used, 1)) / 3))
  return `${number(Math.round((10 * used) / 1_000 ** power) / 10)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`
}

/** The list of runs filters by these, and knows a channel without its platform. */
const FILTERS: Readonly<Record<string, (name: string) => string>> = {
  person: name => `person=${encodeURIComponent(name)}`,
  channel: name => `channel=${encodeURIComponent(name)}`,
  source: name => `source=${encodeURIComponent(name)}`,
}

/** A small bar chart. Bars are as long as their share of the limit, or of the longest one. */
function Bars({
  title,
  kind = '',
  rows,
  by,
  limit = Math.max(...rows.map(({ used }) => used)),
  others = 0,
}: {
  readonly title: string
  readonly kind?: string
  readonly rows: readonly Used[]
  readonly by: string
  readonly limit?: number
  readonly others?: number
}) {
  const filter = FILTERS[kind]
  if (rows.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ol class="bars">
        {rows.map(({ name, used }) => (
          <li key={name} class={used > limit ? 'over' : ''}>
            <span class="name" title={name}>
              {filter ? <Link href={`~/runs?${filter(name)}`}>{name}</Link> : name}
            </span>
            <span class="share" style={{ width: `${Math.min(100, (100 * used) / (limit || 1))}%` }} />
            <span>{amount(used, by)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p class="small">{number(others)} more used less.</p>}
    </div>
  )
}
