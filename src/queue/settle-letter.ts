import { acceptAgain } from './accept/accept-again.ts'
import { createDeadLetters } from './dead-letters.ts'

/** The end of a dead letter. `unreadable`: its message cannot be read, so it can only be dropped. */
export type SettledLetter = 'settled' | 'unknown' | 'unreadable'

type Parts = Parameters<typeof acceptAgain>[0]

/**
 * Has a message answered that was given up, and forgets its letters.
 * @throws StoreError
 */
export function retryLetter(parts: Parts, id: string, signal: AbortSignal): Promise<SettledLetter> {
  return settle(parts, id, signal, parts)
}

/**
 * Forgets the letters of a message that was given up.
 * @throws StoreError
 */
export function dropLetter(parts: Pick<Parts, 'redis'>, id: string, signal: AbortSignal): Promise<SettledLetter> {
  return settle(parts, id, signal)
}

async function settle({ redis }: Pick<Parts, 'redis'>, id: string, signal: AbortSignal, again?: Parts): Promise<SettledLetter> {
  const letters = createDeadLetters(redis)
  // A message that was given up again for another reason has several letters.
  const own = (await letters.list(signal)).filter(each => each.id === id)
  const [letter] = own
  if (letter === undefined) return 'unknown'
  if (again !== undefined) {
    if (letter.accepted === undefined) return 'unreadable'
    await acceptAgain(again, letter.accepted, signal)
  }
  // The letters go last, so that a crash before that loses nothing. A letter that has come meanwhile stays.
  for (const each of own) await letters.drop(each, signal)
  return 'settled'
}
