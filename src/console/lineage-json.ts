import type { Cell } from '../warehouse/warehouse.ts'

/** A run of a job. `started_at` is in ISO 8601. */
export interface JobRunJson {
  readonly id: string
  readonly job: string
  readonly status: string
  readonly started_at: string | null
  readonly ms: number | null
  /** The id of the run that this one repeats. Null if it is no replay. */
  readonly replay_of: string | null
  /** Whether Clew ran the job. False if another runner logged it. */
  readonly by_clew: boolean
}

/** A table in the graph, with its place in pixels. `table` is its name as `database.table`, and identifies it. */
export interface GraphNodeJson {
  readonly table: string
  readonly label: string
  readonly kind: 'outside' | 'input' | 'intermediate' | 'target'
  readonly state: 'live' | 'replaced' | 'gone'
  /** The number of rows in the run. Null if it is unknown or hidden. */
  readonly rows: number | null
  readonly rows_now: number | null
  /** The numbers of rows in the compared runs, in their order. */
  readonly rows_compared: readonly (number | null)[]
  /** How the numbers drifted, in sentences. Empty if they did not. */
  readonly drift: readonly string[]
  readonly failed: boolean
  /** Whether the viewer may not see how the table was made. */
  readonly hidden: boolean
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The label, broken to fit into the box. */
  readonly lines: readonly string[]
}

export interface RunGraphJson {
  readonly run: JobRunJson & {
    readonly error: string
    /** Whether the viewer may not see all of the run. */
    readonly hidden: boolean
  }
  /** Other runs of the job: the one before, the latest replay, or the original of this replay. */
  readonly compared: readonly { readonly role: 'before' | 'replay' | 'original'; readonly run: JobRunJson }[]
  readonly width: number
  readonly height: number
  readonly nodes: readonly GraphNodeJson[]
  /** The flow of rows between nodes, by their indexes. `path` is the `d` of an SVG path. */
  readonly lines: readonly { readonly from: number; readonly to: number; readonly path: string }[]
}

/** What a selected node shows. */
export interface NodeJson {
  /** The SQL that made the table. Null if there is none, or if it is hidden. */
  readonly made_by: { readonly template: string; readonly sql: string; readonly error: string } | null
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    readonly comment: string
    /** How many rows have NULL in it now. Null if it cannot have any, or if they were not counted. */
    readonly nulls: number | null
    /** Where its values come from, such as `vendors.vendor`. Null if that is not logged. */
    readonly from: string | null
  }[]
  /** Which columns of the inputs it was joined by. A NULL often comes from a join that finds nothing. */
  readonly joined_by: string | null
  readonly rows: { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] } | null
  /** What else the viewer should know, such as why there are no rows. */
  readonly notes: readonly string[]
}

/** How many rows of each table hold a value. Null: the table could not be searched. */
export type HoldersJson = Readonly<Record<string, number | null>>
