interface SqlBoxProps {
  readonly label: string
  readonly rows: number
  readonly text: string
  change(text: string): void
}

/** A text of a language, to edit. */
export function SqlBox({ label, rows, text, change }: SqlBoxProps) {
  const look = { class: 'sql', 'aria-label': label, rows, spellcheck: false }
  return <textarea {...look} value={text} onInput={event => change(event.currentTarget.value)} />
}
