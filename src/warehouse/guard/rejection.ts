import type { GuardRejection, GuardVerdict } from '../sql-guard.ts'

export type Rejection = Extract<GuardVerdict, { verdict: 'reject' }>

export function rejection(code: GuardRejection, message: string): Rejection {
  return { verdict: 'reject', code, message }
}

/** Prepares a name or a piece of SQL for a message: one line of at most 80 characters. */
export function shown(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`
}

/** Returns the end of a sentence, which lists similar names. Empty if there are none. */
export function nearText(near: readonly string[]): string {
  return near.length === 0 ? '' : `; near: ${near.map(shown).join(', ')}`
}
