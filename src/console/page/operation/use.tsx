import { Link } from 'wouter-preact'
import type { UsageJson, Used } from '../../operation-routes.ts'
import { useApi } from '../api.ts'
import { money, nameInWords, number, withQuery } from '../format.ts'
import { Filters, optionsOf, useAddress } from '../parts/controls.tsx'
import { Empty, Ready } from '../parts/states.tsx'

const WINDOWS = optionsOf(['1', '7', '30', '90'], days => (days === '1' ? 'today' : `the last ${days} days`))
const MEASURES: Readonly<Record<string, string>> = {
  cost: 'cost in US dollars',
  questions: 'questions',
  tokens: 'tokens of models',
  bytes: 'bytes that queries read',
}

/** Who used how much, by name and day, and what is near to its cap. */
export function Use() {
  const [{ days = '7', by }] = useAddress()
  const loaded = useApi<UsageJson>(withQuery('/console/api/operation/usage', { days, by }), 60_000)
  return (
    <section>
      <h2>Use</h2>
      <Filters
        filters={[
          { name: 'days', label: 'Days', options: WINDOWS, usual: '7' },
          { name: 'by', label: 'Measure', options: Object.entries(MEASURES), usual: loaded.data?.by },
        ]}
      />
      <Ready loaded={loaded}>{Charts}</Ready>
    </section>
  )
}

function Charts({ by, days, kinds, caps, time_zone: zone }: UsageJson) {
  const total = days.reduce((sum, { used }) => sum + used, 0)
  const [first] = kinds.find(({ kind }) => kind === 'person')?.most ?? []
  if (total === 0) return <Empty>Nothing was counted. CLEW_PRICES_FILE gives models a price that Clew does not know.</Empty>
  const most = first
    ? `${nameInWords(first.label)} ${by === 'cost' ? 'spent' : 'used'} the most: ${amount(first.used, by)} of `
    : ''
  return (
    <>
      <p>
        <strong>{`${most}${amount(total, by)} in all.`}</strong>{' '}
        <small>{`${MEASURES[by]}, ${days[0]?.name} to ${days.at(-1)?.name}, days of ${zone}`}</small>
      </p>
      <div class="use">
        {kinds.map(({ kind, most: rows, others }) => {
          return kind !== 'all' && <Bars key={kind} title={`By ${kind}`} {...{ kind, rows, by, others }} />
        })}
        <Bars title="By day" rows={days} by={by} />
        {caps.map(({ per, of, window, limit, soft, nearest }) => {
          const title = `Cap of ${amount(limit, of)} ${of} per ${per} and ${window}${soft ? ', soft' : ''}`
          return <Bars key={title} {...{ title, limit }} kind={per} rows={nearest} by={of} />
        })}
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

interface BarsProps {
  readonly title: string
  readonly kind?: string
  readonly rows: readonly Used[]
  readonly by: string
  readonly limit?: number
  readonly others?: number
}

/** A small bar chart. Bars are as long as their share of the limit, or of the longest one. */
function Bars({ title, kind = '', rows, by, limit = Math.max(...rows.map(({ used }) => used)), others = 0 }: BarsProps) {
  // The list of runs filters by these, and knows a channel without its platform.
  const isFilter = ['person', 'channel', 'source'].includes(kind)
  if (rows.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ol class="bars">
        {rows.map(({ name, label, used }) => (
          <li key={name} class={used > limit ? 'over' : ''}>
            <span class="name" title={name}>
              {isFilter ? <Link href={withQuery('/runs', { [kind]: name })}>{nameInWords(label)}</Link> : label}
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
