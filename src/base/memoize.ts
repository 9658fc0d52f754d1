/**
 * Caches a function's value per object, until the object is garbage-collected. Useful for values that depend on a schema, because
 * questions share the same schema object. Callers share the value, so never change it.
 */
export function memoizePerObject<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return key => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = work(key)
    known.set(key, { value })
    return value
  }
}

/**
 * Caches a function's values by text. Keeps the values of the `most` texts that were used last. Errors are not cached.
 * @param work may take more, on which its value does not depend beyond the text
 * @throws the error of `work`
 */
export function memoizePerText<More extends readonly unknown[], Value>(
  work: (key: string, ...more: More) => Value,
  most: number,
): (key: string, ...more: More) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (key, ...more) => {
    const found = known.get(key) ?? { value: work(key, ...more) }
    known.delete(key)
    known.set(key, found)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return found.value
  }
}

/** Shares the result of `work` among all callers. After a failure, the next call tries again. */
export function onceItWorks<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}
