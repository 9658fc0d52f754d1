interface ChoiceProps {
  readonly label: string
  /** The names of the options. */
  readonly options: Readonly<Record<string, string>>
  readonly chosen: string
  choose(option: string): void
}

/** A list to choose from. */
export function Choice({ label, options, chosen, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={chosen} onChange={event => choose(event.currentTarget.value)}>
      {Object.entries(options).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  )
}
