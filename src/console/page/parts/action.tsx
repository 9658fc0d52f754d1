import { useAction } from '../api.ts'
import { Failure } from './states.tsx'

interface ActionProps {
  readonly label: string
  /** What a screen reader says instead of a sign. */
  readonly name?: string
  work(): unknown
  readonly isOff?: boolean
  /** `primary` or `link`. */
  readonly look?: string
  /** Absent for a button that is no switch. */
  readonly isOn?: boolean
}

/** A button that does some work. It is off meanwhile, and a failure stands beside it. */
export function Action({ label, name, work, isOff = false, look, isOn }: ActionProps) {
  const { act, isBusy, problem } = useAction()
  return (
    <>
      <button
        {...{ type: 'button', class: look, 'aria-label': name, 'aria-pressed': isOn }}
        disabled={isBusy || isOff}
        onClick={() => act(async () => work())}
      >
        {label}
      </button>
      {problem && <Failure problem={problem} />}
    </>
  )
}
