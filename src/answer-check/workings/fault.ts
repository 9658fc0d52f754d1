/** Stops the evaluation of a working. It never leaves `workOut`. */
export class WorkingFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
