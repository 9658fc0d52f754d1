/** A derivation that the model writes behind a figure: `{= sum(devices, region = 'Europe')}`. */
export interface Working {
  /** The place of the working, as an offset in the text without workings. */
  readonly at: number
  readonly expression: string
}

const WORKING = /\s?\{=([^{}\n]*)\}/g

/** Removes the workings from a text and returns both. */
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
