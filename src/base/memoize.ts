/**
 * Caches a function's value per object, until the object is collected. It suits values derived from a schema that stays the same across questions.
 * The value is shared, so never change it.
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

/** The same for texts. It keeps the latest `most`. @throws the work's error, every time */
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
