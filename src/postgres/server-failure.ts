import { errorCode, errorMessage } from '../base/errors.ts'
import { WarehouseError } from '../warehouse/error.ts'

/** Turns an error of the driver or the server into a WarehouseError. Its `cause` is the original. */
export function failureOf(error: unknown): WarehouseError {
  if (error instanceof WarehouseError) return error
  return new WarehouseError(errorMessage(error), { kind: errorCode(error) === undefined ? 'unavailable' : 'query', cause: error })
}
