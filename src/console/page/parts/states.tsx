import type { ComponentChildren } from 'preact'
import { type Loaded, useApi } from '../api.ts'
import { words } from '../format.ts'

/** Says that there is nothing, or nothing yet, and what to do about it. */
export function Empty(said: { readonly role?: 'status'; readonly children: ComponentChildren }) {
  return <p class="soft" {...said} />
}

/** Says why something failed. With `retry`, offers to try again. */
export function Failure({ problem, retry }: { readonly problem: string; readonly retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <span>{problem}</span>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Shows loaded data, or that they are being read, or why they could not be. */
export function Ready<Data>({ loaded, children }: { readonly loaded: Loaded<Data>; children(data: Data): ComponentChildren }) {
  const { data, problem, reload } = loaded
  return (
    <>
      {problem && <Failure problem={problem.message} retry={reload} />}
      {data !== undefined ? children(data) : problem === undefined && <Empty role="status">Loading …</Empty>}
    </>
  )
}

interface LoadProps<Data> {
  readonly path: string
  readonly everyMs?: number
  readonly children: (data: Data, reload: () => void) => ComponentChildren
}

/** Reads a path, and shows what came. */
export function Load<Data>({ path, everyMs, children }: LoadProps<Data>) {
  const loaded = useApi<Data>(path, everyMs)
  return <Ready loaded={loaded}>{data => children(data, loaded.reload)}</Ready>
}

type Tone = 'good' | 'fair' | 'bad' | 'quiet'

/** A short word with a colour. The word alone says all. */
export function Badge({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return <span class={`badge ${tone}`}>{text}</span>
}

/** The states of runs, answers, jobs and subscriptions that have a colour. */
const TONES: Readonly<Record<string, Tone>> = {
  ...{ answered: 'good', told: 'good', high: 'good', completed: 'good' },
  ...{ partly_answered: 'fair', refused: 'fair', paused: 'fair', stopped: 'fair', medium: 'fair' },
  ...{ failed: 'bad', lost: 'bad', low: 'bad' },
}

export function stateName(state: string): string {
  const name = state === 'partly_answered' ? 'answered in part' : words(state)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A state in words, with its colour. */
export function State({ of: state, more = '' }: { readonly of: string | null; readonly more?: string }) {
  return <>{state === null ? '–' : <Badge tone={TONES[state.toLowerCase()] ?? 'quiet'} text={stateName(state) + more} />}</>
}

/** Figures, each with its name, and perhaps with more words. */
export function Figures({ of: figures }: { readonly of: readonly (readonly [name: string, figure: string, more?: string])[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, figure, more]) => (
        <div key={name} class="card">
          <dt class="small">{name}</dt>
          <dd>
            <strong>{figure}</strong> <small>{more}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}
