import type { z } from 'zod'

type Path = readonly PropertyKey[]

/**
 * Parses an answer that follows `strictJsonSchema`. A strict endpoint writes null for an absent optional property. So a null is
 * removed where the schema forbids null, and stays where the schema allows it.
 */
export function readStrictAnswer<Value>(schema: z.ZodType<Value>, answer: unknown): z.ZodSafeParseResult<Value> {
  let value = answer
  for (;;) {
    const result = schema.safeParse(value)
    if (result.success) return result
    const nulls = issuePaths(result.error.issues).filter(path => isNullProperty(value, path))
    if (nulls.length === 0) return result
    // Each round removes at least one null, so the loop ends.
    value = structuredClone(value)
    for (const path of nulls) removeProperty(value, path)
  }
}

/** Returns the paths of all issues. Includes the issues within the variants of a union. */
function issuePaths(issues: readonly z.core.$ZodIssue[], prefix: Path = []): Path[] {
  return issues.flatMap(issue => {
    const path = [...prefix, ...issue.path]
    const inner = issue.code === 'invalid_union' ? issue.errors.flatMap(errors => issuePaths(errors, path)) : []
    return [path, ...inner]
  })
}

function isNullProperty(value: unknown, path: Path): boolean {
  const key = path.at(-1)
  const parent = valueAt(value, path.slice(0, -1))
  return key !== undefined && isObject(parent) && Object.hasOwn(parent, key) && Reflect.get(parent, key) === null
}

function removeProperty(value: unknown, path: Path): void {
  const key = path.at(-1)
  const parent = valueAt(value, path.slice(0, -1))
  if (key !== undefined && isObject(parent)) Reflect.deleteProperty(parent, key)
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
