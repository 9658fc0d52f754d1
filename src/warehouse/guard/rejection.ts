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
