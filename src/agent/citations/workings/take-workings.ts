/** How a figure follows from the rows, as its writer shows it behind the figure: `{= sum(devices, region = 'Europe')}`. */
export interface Working {
  /** Where it stood, in the text without workings. */
  readonly at: number
  readonly expression: string
}

const WORKING = /\s?\{=([^{}\n]*)\}/g

/** Takes the workings out of a text. */
export function takeWorkings(written: string): { readonly text: string; readonly workings: readonly Working[] } {
  const workings: Working[] = []
  let removed = 0
  const text = written.replace(WORKING, (whole, expression: string, at: number) => {
    workings.push({ at: at - removed, expression: expression.trim() })
    removed += whole.length
    return ''
  })
  return { text, workings }
}
