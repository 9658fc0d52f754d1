/**
 * Sorts names into layers by their dependencies. A name depends only on names in earlier layers, so the members of a layer can
 * run at the same time. Within a layer, the names keep the order of `names`.
 * @param needs returns the dependencies of a name; dependencies that are not in `names` are ignored
 * @returns the layers; if there is a cycle, the names on the cycle, each followed by a name that it needs
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

/** Finds a cycle. Each name in `waiting` needs another name in `waiting`, so following the dependencies must lead to a cycle. */
function cycleAmong(waiting: ReadonlySet<string>, needs: (name: string) => readonly string[]): readonly string[] {
  const path: string[] = []
  let [name] = waiting
  while (name !== undefined && !path.includes(name)) {
    path.push(name)
    name = needs(name).find(other => waiting.has(other))
  }
  return name === undefined ? path : path.slice(path.indexOf(name))
}
