import type { CalendarUnit } from '../../base/calendar-unit.ts'

export const CAP_UNITS = ['day', 'week', 'month'] as const satisfies readonly CalendarUnit[]
export const CAPPED_MEASURES = ['questions', 'tokens', 'cost', 'bytes'] as const
export const CAP_SHARERS = ['person', 'channel', 'role', 'all'] as const

/** Who shares a limit: each person, each channel, each role, or everybody. */
export type Sharer = (typeof CAP_SHARERS)[number]

/** How much may be used in a window of time. */
export interface Cap {
  readonly per: Sharer
  /** `cost` is in US dollars. `bytes` are those that queries read. */
  readonly of: (typeof CAPPED_MEASURES)[number] | 'presses'
  /** A unit of the calendar, or milliseconds that begin with the first use. */
  readonly window: (typeof CAP_UNITS)[number] | number
  readonly limit: number
  /** Whether people are only told of the limit, and go on. */
  readonly soft?: boolean
  /** The operator's words for whoever has reached the limit. */
  readonly message?: string | undefined
}

/** Stands for no limit. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** A cap, and what has been used of it. */
export interface Standing extends Cap {
  readonly used: number
  /** Unix time in milliseconds. */
  readonly endsAt: number
}
