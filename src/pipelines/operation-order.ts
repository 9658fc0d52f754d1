/**
 * Sorts what depends on each other into layers: all that a layer needs is in earlier ones, so that a layer may run side by side. The order within a layer is that of `names`.
 * @param needs the names that one of `names` needs; others than `names` are taken to be there
 * @returns the layers, or the names of a cycle in the order in which each needs the next
 */
export function layersOf(
  names: readonly string[],
  needs: (name: string) => readonly string[],
): { readonly layers: readonly (readonly string[])[] } | { readonly cycle: readonly string[] } {
  const layers: (readonly string[])[] = []
  const waiting = new Set(names)
  while (waiting.size > 0) {
    const ready = [...waiting].filter(name => needs(name).every(other => !waiting.has(other)))
    if (ready.length === 0) return { cycle: cycleAmong(waiting, needs) }
    for (const name of ready) waiting.delete(name)
    layers.push(ready)
  }
  return { layers }
}

/** Each of `waiting` needs another of them, so following what is needed comes back to where it was. */
function cycleAmong(waiting: ReadonlySet<string>, needs: (name: string) => readonly string[]): readonly string[] {
  const path: string[] = []
  let [name] = waiting
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    name = needs(name).find(other => waiting.has(other))
  }
  return name === undefined ? path : path.slice(path.indexOf(name))
}
