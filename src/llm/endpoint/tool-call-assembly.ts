import type { ModelToolCall } from '../language-model.ts'

/** The part of a tool call in one chunk. The first piece has the id and the name. Later pieces continue the arguments. */
interface ToolCallPiece {
  readonly index?: number | null | undefined
  readonly id?: string | null | undefined
  readonly function?:
    | { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined }
    | null
    | undefined
}

/** Puts tool calls together from the pieces of a stream. */
export class ToolCallAssembly {
  readonly #calls = new Map<number, { id: string; name: string; text: string }>()
  #latest = -1
  /** The length of all names and arguments that have arrived so far. */
  characters = 0

  add(pieces: readonly ToolCallPiece[]): void {
    for (const piece of pieces) {
      // Some endpoints send no index. They send each call as a whole, so each piece with an id is a new call.
      const index = piece.index ?? (piece.id || this.#latest < 0 ? this.#latest + 1 : this.#latest)
      this.#latest = Math.max(this.#latest, index)
      this.characters += (piece.function?.name ?? '').length + (piece.function?.arguments ?? '').length
      const call = this.#calls.get(index) ?? { id: '', name: '', text: '' }
      this.#calls.set(index, {
        id: piece.id || call.id,
        name: call.name + (piece.function?.name ?? ''),
        text: call.text + (piece.function?.arguments ?? ''),
      })
    }
  }

  whole(): readonly ModelToolCall[] {
    return [...this.#calls.entries()]
      .sort(([left], [right]) => left - right)
      .map(([index, { id, name, text }]) => ({ id: id || `call_${index + 1}`, name, arguments: text || '{}' }))
  }
}
