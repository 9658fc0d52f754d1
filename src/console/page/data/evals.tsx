import { useState } from 'preact/hooks'
import type { EvalsJson } from '../../data-json.ts'
import { useApi } from '../api.ts'
import { moment } from '../format.ts'
import { Empty, Ready } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

type Report = EvalsJson[number]

/** The reports of `clew evals`, by their cases. */
export function Evals() {
  const loaded = useApi<EvalsJson>('/console/api/data/evals')
  return (
    <Ready loaded={loaded}>
      {reports => (
        <>
          {reports.length === 0 && (
            <Empty>
              No report is here. Run <code>clew evals</code> in the folder where <code>clew serve</code> runs.
            </Empty>
          )}
          {[...new Set(reports.map(({ set }) => set))].map(set => (
            <Cases key={set} set={set} reports={reports.filter(report => report.set === set)} />
          ))}
        </>
      )}
    </Ready>
  )
}

const percent = (share: number | undefined) => (share === undefined ? '–' : `${(100 * share).toFixed(1)} %`)

/** The history of one set of cases, the newest first, and what changed between two reports. */
function Cases({ set, reports }: { readonly set: string; readonly reports: readonly Report[] }) {
  const [[after = reports[0], before = reports[1]], pick] = useState<readonly Report[]>([])
  const tags = [...new Set(reports.flatMap(({ by_tag: groups }) => Object.keys(groups)))].sort()
  const choose = (report: Report) => pick(after === undefined || report === after ? [] : [after, report])
  return (
    <section>
      <h2>{set}</h2>
      <Trend reports={reports} />
      <Table
        label={`Reports of ${set}`}
        rows={reports}
        choose={choose}
        marked={new Set([after, before].flatMap(report => (report ? [reports.indexOf(report)] : [])))}
        columns={[
          { head: 'Finished', cell: report => moment(report.finished_at) },
          { head: 'Model', kind: 'wide', cell: ({ model }) => model },
          { head: 'Cases', kind: 'number', cell: ({ all }) => all.cases },
          { head: 'Right', kind: 'number', cell: ({ all }) => percent(all.correct) },
          ...tags.map(tag => ({
            head: tag,
            kind: 'number aside' as const,
            cell: (report: Report) => percent(report.by_tag[tag]?.correct),
          })),
        ]}
      />
      {after && before && <Difference before={before} after={after} />}
    </section>
  )
}

/** The share of right answers over time, from nothing to all. */
function Trend({ reports }: { readonly reports: readonly Report[] }) {
  const shares = reports.map(({ all }) => all.correct).reverse()
  const points = shares.map((share, at) => `${(400 * at) / Math.max(1, shares.length - 1)},${60 - 58 * share}`)
  return (
    <svg class="trend" viewBox="0 0 400 62" role="img" aria-label={`Right over time: ${shares.map(percent).join(', ')}`}>
      <polyline points={points.join(' ')} />
    </svg>
  )
}

function Difference({ before, after }: { readonly before: Report; readonly after: Report }) {
  const earlier = new Map(before.cases.map(({ id, correct }) => [id, correct]))
  const groups: readonly (readonly [string, Report['cases']])[] = [
    ['Right now, wrong before', after.cases.filter(({ id, correct }) => correct && earlier.get(id) === false)],
    ['Wrong now, right before', after.cases.filter(({ id, correct }) => !correct && earlier.get(id) === true)],
    ['Wrong both times, or new', after.cases.filter(({ id, correct }) => !correct && earlier.get(id) !== true)],
  ]
  return (
    <>
      <p class="small">
        {`${moment(after.finished_at)} (${after.model}) against ${moment(before.finished_at)} (${before.model})`}
      </p>
      {groups.map(([title, cases]) => (
        <details key={title} class="definition" open={cases.length > 0 && cases.length < 20}>
          <summary>{`${title}: ${cases.length}`}</summary>
          <ul>
            {cases.map(({ id, question, reason, detail }) => (
              <li key={id}>
                {question} <small>{[id, reason, detail].filter(Boolean).join(' · ')}</small>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  )
}
