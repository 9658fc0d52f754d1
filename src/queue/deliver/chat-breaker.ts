import { Breaker } from '../../base/breaker.ts'
import { BASE_LIMITS } from '../../base/limits.ts'
import { ChatError } from '../../chat/error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'

/**
 * Creates the breaker of a chat platform. A refused request waits as if the platform had asked for a pause, so a delivery loses
 * nothing.
 */
export function chatBreaker(platform: string): Breaker {
  const seconds = BASE_LIMITS.breakerOpenMs / 1000
  const message = `${platform} cannot be reached. Clew asks it again ${seconds} seconds after it last failed.`
  return new Breaker({
    name: `${platform} api`,
    failures: DELIVERY_LIMITS.breakerFailures,
    judge: error => {
      // A rate limit and a refused token may be known from earlier requests.
      if (!(error instanceof ChatError) || ['cancelled', 'rate_limited', 'authentication'].includes(error.kind)) return 'unknown'
      return error.kind === 'unavailable' ? 'away' : 'answered'
    },
    refusal: retryAfterMs => new ChatError(message, { kind: 'rate_limited', retryAfterMs }),
  })
}
