/**
 * A function whose value for an object is worked out once and forgotten with the object: for what follows from a schema that stays the same from question to
 * question. The value is shared, so it must not be changed.
 */
export function oncePerObject<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
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
 * The same for a text, of which the latest `most` are remembered.
 * @throws whatever the work throws, each time
 */
export function oncePerText<Value>(work: (key: string) => Value, most: number): (key: string) => Value {
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
