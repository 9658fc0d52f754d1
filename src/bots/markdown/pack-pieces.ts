/** The limits of a message. Each platform has its own measures, such as characters or blocks. */
export interface PackRules<P, Measure extends string> {
  readonly limits: Readonly<Record<Measure, number>>
  /** Returns how much longer a message becomes if this piece follows `previous`. */
  measure(piece: P, previous: P | undefined): Readonly<Record<Measure, number>>
}

/**
 * Distributes pieces over messages in order, each as full as possible. A heading stays with the next piece. A piece that is too
 * large for any message gets its own message.
 */
export function packPieces<P extends { readonly kind: string }, Measure extends string>(
  pieces: readonly P[],
  { limits, measure }: PackRules<P, Measure>,
): readonly (readonly P[])[] {
  const measures = Object.keys(limits) as Measure[]
  const messages: P[][] = []
  let message: P[] = []
  let used = new Map<Measure, number>()
  const grown = (piece: P) => {
    const added = measure(piece, message.at(-1))
    return new Map(measures.map(name => [name, (used.get(name) ?? 0) + added[name]]))
  }
  const fits = (piece: P) => message.length === 0 || [...grown(piece)].every(([name, size]) => size <= limits[name])
  const add = (piece: P) => {
    used = grown(piece)
    message.push(piece)
  }
  const close = () => {
    if (message.length > 0) messages.push(message)
    message = []
    used = new Map()
  }
  for (const piece of pieces) {
    if (!fits(piece)) {
      const heading = message.length > 1 && message.at(-1)?.kind === 'heading' ? message.pop() : undefined
      close()
      if (heading !== undefined) add(heading)
      if (!fits(piece)) close()
    }
    add(piece)
  }
  close()
  return messages
}
