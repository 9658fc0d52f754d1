/** `GET /console/api/session`, and the answer to a sign-in: who has signed in. */
export interface SessionJson {
  /** As `slack/U1`. */
  readonly person: string
  /** The roles of access.yaml. Empty without rules. */
  readonly roles: readonly string[]
  /** `operate`: everybody's runs, and the state of the processes. `define`: to accept, edit and decline definitions. */
  readonly may: { readonly operate: boolean; readonly define: boolean }
  readonly timeZone: string
  /** Questions to suggest. */
  readonly examples: readonly string[]
  /** The number of tables that the person may read. Null if the data cannot be reached now. */
  readonly tables: number | null
}
