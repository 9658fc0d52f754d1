import type { ComponentChildren } from 'preact'
import type { Loaded, PageProblem } from '../api.ts'

export function Spinner() {
  return (
    <p class="soft" role="status">
      Loading …
    </p>
  )
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="soft">{children}</p>
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

interface ReadyProps<Data> {
  readonly loaded: Loaded<Data>
  readonly children: (data: Data) => ComponentChildren
}

/** Shows loaded data, or that they are being read, or why they could not be. */
export function Ready<Data>({ loaded: { data, problem, reload }, children }: ReadyProps<Data>) {
  return (
    <>
      {problem && <Failure problem={problem} retry={reload} />}
      {data !== undefined ? children(data) : problem === undefined && <Spinner />}
    </>
  )
}

interface BadgeProps {
  readonly tone: 'good' | 'fair' | 'bad' | 'quiet'
  readonly children: ComponentChildren
}

/** A short word with a colour. The word alone says all. */
export function Badge({ tone, children }: BadgeProps) {
  return <span class={`badge ${tone}`}>{children}</span>
}
