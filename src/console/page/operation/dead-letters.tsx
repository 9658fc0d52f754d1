import { Link } from 'wouter-preact'
import type { LetterJson } from '../../operation-routes.ts'
import { call, useApi } from '../api.ts'
import { Action } from '../parts/action.tsx'
import { Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { agoOf } from './ago.ts'

const PATH = '/console/api/operation/dead-letters'

/** The messages that were given up. An operator has them answered again, or drops them. */
export function DeadLetters({ count }: { readonly count: number }) {
  const loaded = useApi<readonly LetterJson[]>(`${PATH}?count=${count}`)
  const settle = async (letter: LetterJson, question: string, path: string, method: 'POST' | 'DELETE') => {
    if (!confirm(`${question}\n\n${letter.id} of ${letter.person ?? 'somebody unknown'}: ${letter.reason}`)) return
    await call(`${PATH}/${letter.id}${path}`, { method })
    loaded.reload()
  }
  const retry = (letter: LetterJson) => settle(letter, 'Answer this message again, in its thread?', '/retry', 'POST')
  const drop = (letter: LetterJson) => settle(letter, 'Drop this message for good?', '', 'DELETE')
  const columns: readonly Column<LetterJson>[] = [
    { head: 'Run', cell: letter => <Link href={`~/runs/${letter.id}`}>{letter.id}</Link> },
    { head: 'Given up', cell: letter => `${agoOf(Date.now() - letter.at)} ago` },
    { head: 'Person', cell: letter => letter.person ?? 'cannot be read' },
    { head: 'Reason', kind: 'wide', cell: letter => letter.reason },
    {
      head: 'Do',
      cell: letter => (
        <>
          <Action label="Retry" look="link" isOff={letter.person === null} work={() => retry(letter)} />{' '}
          <Action label="Drop" look="link" work={() => drop(letter)} />
        </>
      ),
    },
  ]
  return (
    <section>
      <h2>Dead letters of the last 30 days</h2>
      <p class="small">Clew could neither answer these messages nor tell their authors.</p>
      <Ready loaded={loaded}>
        {letters => <Table label="Dead letters" columns={columns} rows={letters} keyOf={({ id }) => id} />}
      </Ready>
    </section>
  )
}
