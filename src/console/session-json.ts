/** Who is signed in, as `GET /console/api/session` answers. */
export interface SessionJson {
  /** Such as `slack/T1/U1`. */
  readonly person: string
  readonly roles: readonly string[]
  readonly may: { readonly operate: boolean; readonly define: boolean }
  readonly timeZone: string
  /** Questions to begin with. */
  readonly examples: readonly string[]
  /** The number of tables that the person may ask about. */
  readonly tables: number
}
