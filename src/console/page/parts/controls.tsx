import { useSearchParams } from 'wouter-preact'
import { useAction } from '../api.ts'
import { given } from '../format.ts'
import { Failure } from './states.tsx'

interface ActionProps {
  readonly label: string
  /** A screen reader says this instead of a sign. */
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
        onClick={() => act(work)}
      >
        {label}
      </button>
      {problem && <Failure problem={problem} />}
    </>
  )
}

export type Options = readonly (readonly [value: string, name: string])[]

interface ChoiceProps {
  readonly label: string
  readonly options: Options
  readonly chosen: string
  choose(option: string): void
}

/** A list to choose from. */
export function Choice({ label, options, chosen, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={chosen} onChange={event => choose(event.currentTarget.value)}>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** The options of a choice whose values are names, or have one that follows from them. */
export function optionsOf(values: readonly string[] = [], nameOf = (value: string) => value): Options {
  return values.map(value => [value, nameOf(value)])
}

/** The parameters of the address, and what changes some of them. */
export function useAddress() {
  const [parameters, set] = useSearchParams()
  const change = (parts: Parameters<typeof given>[0], options?: { readonly replace: boolean }) =>
    set(last => given({ ...Object.fromEntries(last), ...parts }), options)
  return [Object.fromEntries(parameters) as Parameters<typeof given>[0], change] as const
}

/** The parameter of the address that names a page of a list. */
const PAGE = 'before'

/** Leads to the next page of a list. The browser leads back. */
export function NextPage({ before }: { readonly before: string | null | undefined }) {
  const [, change] = useAddress()
  return <>{before && <Action label="Show more" work={() => change({ [PAGE]: before })} />}</>
}

/** A filter by some words, by a moment, or by one of some options. */
export interface Filter {
  readonly name: string
  readonly label: string
  readonly options?: Options
  /** `search` filters with each letter, others once the field is left or Enter is pressed. */
  readonly type?: 'search' | 'text' | 'datetime-local'
  /** The value as long as nothing is chosen. */
  readonly usual?: string | undefined
}

/** Filters whose values stand in the address, under their names. */
export function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const [address, change] = useAddress()
  const set = (name: string, value: string) => change({ [name]: value, [PAGE]: undefined }, { replace: true })
  return (
    <search class="filters row">
      {filters.map(({ name, label, options, type = 'search', usual = '' }) => {
        const value = address[name] ?? usual
        if (options) return <Choice key={name} {...{ label, options }} chosen={value} choose={chosen => set(name, chosen)} />
        const hear = (event: Event & { readonly currentTarget: HTMLInputElement }) => set(name, event.currentTarget.value)
        const look = { type, value, 'aria-label': label, placeholder: label, maxLength: 200 }
        return (
          <span key={name}>
            {type === 'datetime-local' && label} <input {...look} {...{ [type === 'search' ? 'onInput' : 'onChange']: hear }} />
          </span>
        )
      })}
    </search>
  )
}
