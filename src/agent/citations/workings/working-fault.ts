/** Ends the reading of a working; never leaves `workOut`. */
export class WorkingFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
