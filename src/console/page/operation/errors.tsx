import { Link } from 'wouter-preact'
import type { OperationJson } from '../../operation-json.ts'
import { number } from '../format.ts'
import { Empty } from '../parts/states.tsx'
import { clock } from './times.ts'

/** The errors that the processes have reported, by what failed and how. */
export function Errors({ now: { processes, error_minutes: minutes } }: { readonly now: OperationJson }) {
  const kinds = new Map<string, { readonly count: number; readonly latest: number }>()
  for (const { kind, count, latest_at: latest } of processes.flatMap(({ errors }) => errors)) {
    const before = kinds.get(kind)
    kinds.set(kind, { count: count + (before?.count ?? 0), latest: Math.max(latest, before?.latest ?? 0) })
  }
  const rows = [...kinds].sort(([, one], [, other]) => other.count - one.count)
  return (
    <section>
      <h2>Errors of the last {minutes} min, of all processes</h2>
      {rows.length === 0 && <Empty>There was no error.</Empty>}
      {rows.length > 0 && (
        <div class="table plain">
          <table>
            <thead>
              <tr>
                <th scope="col">Failed</th>
                <th scope="col" class="number">
                  Times
                </th>
                <th scope="col">Latest</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([kind, { count, latest }]) => (
                <tr key={kind}>
                  <td>{kind.replaceAll('_', ' ')}</td>
                  <td class="number">{number(count)}</td>
                  <td>{clock(latest)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>
        <Link href="~/runs?outcome=failed">Show failed runs</Link>
      </p>
    </section>
  )
}
