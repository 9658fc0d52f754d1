import { Link } from 'wouter-preact'
import type { LetterJson } from '../../operation-json.ts'
import { call, useAction, useApi } from '../api.ts'
import { Failure, Ready } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { agoOf } from './ago.ts'

const PATH = '/console/api/operation/dead-letters'

/** The messages that were given up. An operator has them answered again, or drops them. */
export function DeadLetters({ count }: { readonly count: number }) {
  const loaded = useApi<readonly LetterJson[]>(`${PATH}?count=${count}`)
  const { act, problem } = useAction()
  const settle = (letter: LetterJson, question: string, path: string, method: 'POST' | 'DELETE') => {
    if (!confirm(`${question}\n\n${letter.id} of ${letter.person ?? 'somebody unknown'}: ${letter.reason}`)) return
    act(() => call(`${PATH}/${letter.id}${path}`, { method }).then(loaded.reload))
  }
  const columns: readonly Column<LetterJson>[] = [
    { head: 'Run', cell: letter => <Link href={`~/runs/${letter.id}`}>{letter.id}</Link> },
    { head: 'Given up', cell: letter => `${agoOf(Date.now() - letter.at)} ago` },
    { head: 'Person', cell: letter => letter.person ?? 'cannot be read' },
    { head: 'Reason', kind: 'wide', cell: letter => letter.reason },
    {
      head: 'Do',
      cell: letter => (
        <>
          <button
            type="button"
            class="link"
            disabled={letter.person === null}
            onClick={() => settle(letter, 'Answer this message again, in its thread?', '/retry', 'POST')}
          >
            Retry
          </button>{' '}
          <button type="button" class="link" onClick={() => settle(letter, 'Drop this message for good?', '', 'DELETE')}>
            Drop
          </button>
        </>
      ),
    },
  ]
  return (
    <section>
      <h2>Dead letters of the last 30 days</h2>
      <p class="small">Clew could neither answer these messages nor tell their authors.</p>
      {problem && <Failure problem={problem} />}
      <Ready loaded={loaded}>
        {letters => <Table label="Dead letters" columns={columns} rows={letters} keyOf={({ id }) => id} />}
      </Ready>
    </section>
  )
}
