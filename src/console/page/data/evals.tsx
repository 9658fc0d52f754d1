import { useState } from 'preact/hooks'
import type { EvalsJson } from '../../data-routes.ts'
import { useApi } from '../api.ts'
import { moment } from '../format.ts'
import { Action } from '../parts/action.tsx'
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
          {reports.length === 0 && <Empty>No report is here. Run clew evals in the folder where clew serve runs.</Empty>}
          {[...new Set(reports.map(({ set }) => set))].map(set => (
            <Cases key={set} set={set} reports={reports.filter(report => report.set === set)} />
          ))}
        </>
      )}
    </Ready>
  )
}

const percent = (share: number | undefined) => (share === undefined ? '–' : `${(100 * share).toFixed(1)} %`)

/** The history of one set of cases, the newest first. The newest is compared with the chosen one, or with the one before. */
function Cases({ set, reports }: { readonly set: string; readonly reports: readonly Report[] }) {
  const [chosen, choose] = useState<Report>()
  const [after] = reports
  const before = chosen ?? reports[1]
  const tags = [...new Set(reports.flatMap(({ by_tag: groups }) => Object.keys(groups)))].sort()
  const share = (head: string, of: (report: Report) => number | undefined, kind: 'number' | 'number aside') => {
    return { head, kind, cell: (report: Report) => percent(of(report)) }
  }
  return (
    <section>
      <h2>{set}</h2>
      <Table
        label={`Reports of ${set}`}
        rows={reports}
        marked={new Set(before && [reports.indexOf(before)])}
        columns={[
          {
            head: 'Finished',
            cell: report => <Action label={moment(report.finished_at)} look="link" work={() => choose(report)} />,
          },
          { head: 'Model', kind: 'wide', cell: ({ model }) => model },
          { head: 'Cases', kind: 'number aside', cell: ({ all }) => all.cases },
          share('Right', ({ all }) => all.correct, 'number'),
          ...tags.map(tag => share(tag, report => report.by_tag[tag]?.correct, 'number aside')),
        ]}
      />
      {after && before && <Difference before={before} after={after} />}
    </section>
  )
}

function Difference({ before, after }: { readonly before: Report; readonly after: Report }) {
  const earlier = new Map(before.cases.map(({ id, correct }) => [id, correct]))
  const groups = {
    'Right now, wrong before': after.cases.filter(({ id, correct }) => correct && earlier.get(id) === false),
    'Wrong now, right before': after.cases.filter(({ id, correct }) => !correct && earlier.get(id) === true),
    'Wrong both times, or new': after.cases.filter(({ id, correct }) => !correct && earlier.get(id) !== true),
  }
  return (
    <>
      <p class="small">{`The newest report against that of ${moment(before.finished_at)}. Choose another one in the table.`}</p>
      {Object.entries(groups).map(([title, cases]) => (
        <details key={title} class="definition" open={cases.length > 0}>
          <summary>{`${title}: ${cases.length}`}</summary>
          {cases.map(({ id, question, reason, detail }) => (
            <p key={id}>
              {question} <small>{[id, reason, detail].filter(Boolean).join(' · ')}</small>
            </p>
          ))}
        </details>
      ))}
    </>
  )
}
