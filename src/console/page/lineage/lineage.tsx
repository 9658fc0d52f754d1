import { Link, Route, Switch, useLocation } from 'wouter-preact'
import type { JobRunJson } from '../../lineage-views.ts'
import { useApi } from '../api.ts'
import { duration, moment } from '../format.ts'
import { Badge, Empty, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { JobRun } from './run.tsx'

/** The jobs, and the graph of each run. */
export function Lineage() {
  return (
    <Switch>
      <Route path="/runs/:run">{({ run }) => <JobRun id={run} />}</Route>
      <Route>
        <Jobs />
      </Route>
    </Switch>
  )
}

function Jobs() {
  const jobs = useApi<readonly JobRunJson[]>('/console/api/lineage/jobs')
  const [, navigate] = useLocation()
  return (
    <>
      <h1>Lineage</h1>
      <p class="soft">How did a row get here, and why is one missing? Open a job to see the tables of its latest run.</p>
      <Ready loaded={jobs}>
        {runs =>
          runs.length === 0 ? (
            <Empty>No job has run that you may see. Whoever runs Clew starts one with `clew jobs run NAME`.</Empty>
          ) : (
            <Table label="Jobs" rows={runs} keyOf={({ id }) => id} choose={({ id }) => navigate(pathOf(id))} columns={COLUMNS} />
          )
        }
      </Ready>
    </>
  )
}

const COLUMNS: readonly Column<JobRunJson>[] = [
  { head: 'Job', kind: 'wide', cell: ({ job, id }) => <Link href={pathOf(id)}>{job}</Link> },
  { head: 'Latest run', cell: ({ started_at: at }) => (at === null ? '–' : moment(at)) },
  { head: 'State', cell: ({ status }) => <Status status={status} /> },
  { head: 'Took', kind: 'number aside', cell: ({ ms }) => duration(ms) },
  { head: 'Run by', kind: 'aside', cell: run => (run.by_clew ? 'Clew' : 'another runner') },
]

function pathOf(run: string): string {
  return `/runs/${encodeURIComponent(run)}`
}

export function Status({ status }: { readonly status: string }) {
  const tone = ({ COMPLETED: 'good', FAILED: 'bad' } as const)[status] ?? 'fair'
  return <Badge tone={tone}>{status.toLowerCase()}</Badge>
}
