import { useState } from 'preact/hooks'
import type { EvalsJson } from '../../data-routes.ts'
import { facts, moment, percent } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Empty, Load } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'

type Report = EvalsJson[number]

/** The reports of `clew evals`, by their cases. */
export function Evals() {
  return (
    <Load<EvalsJson> path="/console/api/data/evals">
      {reports => (
        <>
          {reports.length === 0 && (
            <Empty>There is no report. The command clew evals writes them. Run it where clew serve runs.</Empty>
          )}
          {[...new Set(reports.map(({ set }) => set))].map(set => (
            <Cases key={set} set={set} reports={reports.filter(report => report.set === set)} />
          ))}
        </>
      )}
    </Load>
  )
}

/** The history of one set of cases, the newest first. The newest is compared with the chosen one, or with the one before. */
function Cases({ set, reports }: { readonly set: string; readonly reports: readonly Report[] }) {
  const [chosen, choose] = useState<Report>()
  const [after] = reports
  const before = chosen ?? reports[1]
  const tags = [...new Set(reports.flatMap(({ by_tag: groups }) => Object.keys(groups)))].sort()
  const columns: readonly Column<Report>[] = [
    { head: 'Finished', cell: each => <Action label={moment(each.finished_at)} look="link" work={() => choose(each)} /> },
    { head: 'Model', kind: 'wide', cell: ({ model }) => model },
    { head: 'Cases', kind: 'number aside', cell: ({ all }) => all.cases },
    { head: 'Right', kind: 'number', cell: ({ all }) => percent(all.correct, 1) },
    ...tags.map((head): Column<Report> => {
      return { head, kind: 'number aside', cell: ({ by_tag: groups }) => percent(groups[head]?.correct, 1) }
    }),
  ]
  const marked = new Set(before && [reports.indexOf(before)])
  return (
    <section>
      <h2>{set}</h2>
      <Table label={`Reports of ${set}`} rows={reports} marked={marked} columns={columns} />
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
        <details key={title} class="card" open={cases.length > 0}>
          <summary>{`${title}: ${cases.length}`}</summary>
          {cases.map(({ id, question, reason, detail }) => (
            <p key={id}>
              {question} <small>{facts(id, reason, detail)}</small>
            </p>
          ))}
        </details>
      ))}
    </>
  )
}
