/** Ends the evaluation of a working. `workOut` catches it. */
export class WorkingFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
