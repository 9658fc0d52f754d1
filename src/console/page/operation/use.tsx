import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { UsageJson, UsedBy, UsedMeasure } from '../../operation-json.ts'
import { useApi } from '../api.ts'
import { money, number } from '../format.ts'
import { Empty, Ready } from '../parts/states.tsx'

const KINDS: Readonly<Record<UsedBy, string>> = {
  person: 'Person',
  channel: 'Channel',
  role: 'Role',
  model: 'Model',
  source: 'Source',
}
const MEASURES: Readonly<Record<UsedMeasure, string>> = {
  cost: 'cost in US dollars',
  questions: 'questions',
  tokens: 'tokens of models',
  bytes: 'bytes that queries read',
}
const WINDOWS = { 1: 'today', 7: 'the last 7 days', 30: 'the last 30 days', 90: 'the last 90 days' }
const REFRESH_MS = 60_000

/** Who used how much, by name and day, and what is near to its cap. */
export function Use() {
  const [days, setDays] = useState(7)
  const [by, setBy] = useState<UsedMeasure>('cost')
  const loaded = useApi<UsageJson>(`/console/api/operation/usage?days=${days}&by=${by}`)
  const { reload } = loaded
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [reload])
  return (
    <section>
      <div class="row">
        <h2>Use</h2>
        <Choice label="Days" options={WINDOWS} value={`${days}`} choose={value => setDays(Number(value))} />
        <Choice label="Measure" options={MEASURES} value={by} choose={value => setBy(value as UsedMeasure)} />
      </div>
      <Ready loaded={loaded}>{usage => <Bars usage={usage} by={by} />}</Ready>
    </section>
  )
}

function Choice({
  label,
  options,
  value,
  choose,
}: {
  readonly label: string
  readonly options: Readonly<Record<string, string>>
  readonly value: string
  choose(value: string): void
}) {
  return (
    <select aria-label={label} value={value} onChange={event => choose(event.currentTarget.value)}>
      {Object.entries(options).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  )
}

function Bars({ usage, by }: { readonly usage: UsageJson; readonly by: UsedMeasure }) {
  const { days, kinds, caps, time_zone: zone } = usage
  const [first] = kinds[0]?.rows ?? []
  const total = days.reduce((sum, { used }) => sum + used, 0)
  const text = (used: number) => amountText(used, by)
  if (total === 0) return <Empty>{by === 'cost' ? NO_COST : 'Nothing was used on these days.'}</Empty>
  return (
    <>
      <p>
        {first && (
          <>
            <strong>{first.name}</strong> used the most: <strong>{text(first[by])}</strong> of{' '}
          </>
        )}
        {text(total)} in all.{' '}
        <span class="small">
          {MEASURES[by]}, {days[0]?.day} to {days.at(-1)?.day}, days of {zone}
        </span>
      </p>
      <div class="use">
        {kinds.map(({ kind, rows, names }) => (
          <BarList
            key={kind}
            title={KINDS[kind]}
            rows={rows.filter(row => row[by] > 0).map(row => ({ name: row.name, used: row[by], href: hrefOf(kind, row.name) }))}
            text={text}
            more={names - rows.length}
          />
        ))}
        <BarList title="Day" rows={days.map(({ day, used }) => ({ name: day, used }))} text={text} more={0} />
        <Caps caps={caps} />
      </div>
    </>
  )
}

const NO_COST = 'No cost was counted on these days. Where prices of models are unknown, CLEW_PRICES_FILE names them.'

function amountText(used: number, of: string): string {
  if (of === 'cost') return money(used)
  if (of !== 'bytes') return number(used)
  const power = Math.min(4, Math.floor(Math.log10(Math.max(used, 1)) / 3))
  return `${(used / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`
}

/** The list of runs can be filtered by these. */
function hrefOf(kind: UsedBy, name: string): string | undefined {
  return kind === 'role' ? undefined : `~/runs?${kind}=${encodeURIComponent(name)}`
}

interface Bar {
  readonly name: string
  readonly used: number
  readonly href?: string | undefined
}

function BarList({
  title,
  rows,
  text,
  more,
}: {
  readonly title: string
  readonly rows: readonly Bar[]
  text(used: number): string
  readonly more: number
}) {
  const most = Math.max(...rows.map(({ used }) => used))
  if (rows.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ol class="bars">
        {rows.map(({ name, used, href }) => (
          <li key={name}>
            <span class="name" title={name}>
              {href === undefined ? name : <Link href={href}>{name}</Link>}
            </span>
            <span class="track" aria-hidden="true">
              <span style={{ width: `${most === 0 ? 0 : (100 * used) / most}%` }} />
            </span>
            <span>{text(used)}</span>
          </li>
        ))}
      </ol>
      {more > 0 && <p class="small">{number(more)} more used less.</p>}
    </div>
  )
}

function Caps({ caps }: { readonly caps: UsageJson['caps'] }) {
  if (caps.length === 0) return null
  return (
    <div>
      <h3>Nearest to their caps</h3>
      <ul class="bars">
        {caps.flatMap(({ per, of, window, limit, soft, ends_at, nearest }) =>
          nearest.map(({ name, used }) => (
            <li key={`${per} ${of} ${window} ${limit} ${name}`} class={used >= limit ? 'over' : ''}>
              <span class="name" title={`${name}, until ${new Date(ends_at).toLocaleString('en-GB')}`}>
                {name}{' '}
                <span class="small">
                  this {window}
                  {soft ? ', soft' : ''}
                </span>
              </span>
              <span class="track" aria-hidden="true">
                <span style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
              </span>
              <span>
                {amountText(used, of)} of {amountText(limit, of)} {of === 'questions' || of === 'tokens' ? of : ''}
              </span>
            </li>
          )),
        )}
      </ul>
    </div>
  )
}
