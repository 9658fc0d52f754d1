import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { ModelError } from '../llm/model-error.ts'
import { RunError } from './run-error.ts'

const MODEL_AWAY = 'The language model could not be reached.'

/** A run's failure for the person who asked: what is wrong and what they can do, and nothing of what is inside. */
export function describeRunError(error: unknown, runId: string): string {
  return `${sentence(error)} (${runId})`
}

function sentence(error: unknown): string {
  if (error instanceof RunError) return error.message
  if (error instanceof ModelError) {
    switch (error.kind) {
      case 'no_recording':
        return error.message
      case 'rate_limited':
        return 'The language model is overloaded just now. Please ask again in a minute.'
      case 'timeout':
        return 'The language model took too long to answer. Please ask again in a minute, or for less at once.'
      case 'unavailable':
        return `${MODEL_AWAY} Please ask again in a minute.`
      case 'authentication':
      case 'bad_request':
        return `${MODEL_AWAY} Whoever runs Clew should run \`clew doctor\`.`
      case 'refused':
        return 'The language model declined to answer this. Please ask in another way.'
      default:
        return 'The language model gave no usable answer. Please ask again, perhaps in other words.'
    }
  }
  if (error instanceof WarehouseError) {
    return error.kind === 'unavailable' || error.kind === 'timeout'
      ? 'The warehouse could not be reached in time. Please ask again in a minute.'
      : 'The warehouse could not be read. Whoever runs Clew should run `clew doctor`.'
  }
  return 'Something went wrong on my side. Please ask again; whoever runs Clew finds the reason in its log.'
}
