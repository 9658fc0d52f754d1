import type { ComponentChildren } from 'preact'
import type { Loaded, PageProblem } from '../api.ts'

export function Spinner({ says = 'Loading' }: { readonly says?: string }) {
  return (
    <p class="spinner" role="status">
      {says} …
    </p>
  )
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** Says why something failed. With `retry`, offers to try again. */
export function Failure({ problem, retry }: { readonly problem: PageProblem | string; readonly retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <span>{typeof problem === 'string' ? problem : problem.message}</span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Shows loaded data, or that they are being read, or why they could not be. */
export function Ready<Data>({
  loaded: { data, problem, reload },
  children,
}: {
  readonly loaded: Loaded<Data>
  readonly children: (data: Data) => ComponentChildren
}) {
  return (
    <>
      {problem && <Failure problem={problem} retry={reload} />}
      {data !== undefined ? children(data) : problem === undefined && <Spinner />}
    </>
  )
}

/** Stands in place of what the viewer may not see. */
export function Hidden({ what }: { readonly what: string }) {
  return (
    <p class="empty">You may not see {what}: it belongs to someone whose rights differ from yours, or was asked in private.</p>
  )
}

type Tone = 'good' | 'fair' | 'bad' | 'quiet'

/** A short word with a colour. The word alone says all. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}
