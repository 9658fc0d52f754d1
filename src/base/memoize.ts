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
 * @throws the error of `work`
 */
export function memoizePerText<Value>(work: (key: string) => Value, most: number): (key: string) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return key => {
    const found = known.get(key) ?? { value: work(key) }
    known.delete(key)
    known.set(key, found)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return found.value
  }
}
