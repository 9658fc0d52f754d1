/**
 * Thrown within this folder where a plan or an input cannot be used. Its message is one sentence that names the part.
 * `checkPlan` and the combining engine return it as a value.
 */
export class PlanRefusal extends Error {}

/** @throws PlanRefusal always */
export function refuse(sentence: string): never {
  throw new PlanRefusal(sentence)
}

/** Returns the work's value, or its refusal as a value. Other errors pass. */
export function orRefusal<Value>(work: () => Value): Value | PlanRefusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof PlanRefusal) return error
    throw error
  }
}
