/**
 * Calls `probe` whenever a watcher is called. Resolves with its first result that is not undefined or false.
 * @throws Error with `describe()` after `timeoutMs` of real time; its cause is the last error of `probe`
 */
export function waitForChange<Result>(
  watchers: Set<() => void>,
  probe: () => Result | undefined | false,
  timeoutMs: number,
  describe: () => string,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    let failure: unknown
    const look = () => {
      try {
        const found = probe()
        if (found === undefined || found === false) return
        settle()
        resolve(found)
      } catch (error) {
        failure = error
      }
    }
    const timer = setTimeout(() => {
      settle()
      const message = `It did not happen within ${timeoutMs} ms. The workspace shows:\n${describe()}`
      reject(new Error(message, failure === undefined ? undefined : { cause: failure }))
    }, timeoutMs)
    const settle = () => {
      clearTimeout(timer)
      watchers.delete(look)
    }
    watchers.add(look)
    look()
  })
}
