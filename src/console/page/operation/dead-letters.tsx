import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { DeadLettersJson } from '../../operation-json.ts'
import { call, sentenceOf, useApi } from '../api.ts'
import { Failure, Ready } from '../parts/states.tsx'
import { agoOf } from './times.ts'

type Letter = DeadLettersJson['letters'][number]
interface Wish {
  readonly letter: Letter
  readonly verb: 'retry' | 'drop'
}

/** The messages that were given up. An operator has them answered again, or drops them. */
export function DeadLetters({ count }: { readonly count: number }) {
  const loaded = useApi<DeadLettersJson>(count === 0 ? undefined : '/console/api/operation/dead-letters')
  const { reload } = loaded
  const [wish, setWish] = useState<Wish>()
  useEffect(reload, [count, reload])
  if (count === 0) return null
  return (
    <section>
      <h2>Dead letters of the last 30 days</h2>
      <p class="small">Clew could neither answer these messages nor tell their authors.</p>
      <Ready loaded={loaded}>
        {({ letters }) => (
          <div class="table plain">
            <table>
              <thead>
                <tr>
                  <th scope="col">Run</th>
                  <th scope="col">Given up</th>
                  <th scope="col">Person</th>
                  <th scope="col" class="wide">
                    Reason
                  </th>
                  <th scope="col">Do</th>
                </tr>
              </thead>
              <tbody>
                {letters.map(letter => (
                  <tr key={letter.id}>
                    <td>{letter.person === null ? letter.id : <Link href={`~/runs/${letter.id}`}>{letter.id}</Link>}</td>
                    <td>{agoOf(Date.now() - letter.at)} ago</td>
                    <td>{letter.person ?? 'cannot be read'}</td>
                    <td class="wide">{letter.reason}</td>
                    <td class="row">
                      <button type="button" disabled={letter.person === null} onClick={() => setWish({ letter, verb: 'retry' })}>
                        Retry
                      </button>
                      <button type="button" onClick={() => setWish({ letter, verb: 'drop' })}>
                        Drop
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Ready>
      {wish && (
        <Confirm
          wish={wish}
          close={() => {
            setWish(undefined)
            reload()
          }}
        />
      )}
    </section>
  )
}

function Confirm({ wish: { letter, verb }, close }: { readonly wish: Wish; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])
  const path = `/console/api/operation/dead-letters/${encodeURIComponent(letter.id)}`
  const settle = () =>
    (verb === 'retry' ? call(`${path}/retry`, { method: 'POST', body: {} }) : call(path, { method: 'DELETE' })).then(
      () => dialog.current?.close(),
      (error: unknown) => setProblem(sentenceOf(error)),
    )
  return (
    <dialog ref={dialog} class="card" aria-labelledby="confirm" onClose={close}>
      <h2 id="confirm">{verb === 'retry' ? 'Answer this message again?' : 'Drop this message?'}</h2>
      <p>
        {letter.id} of {letter.person ?? 'somebody unknown'}.{' '}
        {verb === 'retry' ? 'A worker answers it in its thread, where others see the answer.' : 'Nobody can answer it any more.'}
      </p>
      {problem && <Failure problem={problem} />}
      <p class="row">
        <button type="button" class="primary" onClick={settle}>
          {verb === 'retry' ? 'Answer again' : 'Drop'}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  )
}
