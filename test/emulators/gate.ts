/** Creates a promise that a test resolves by calling `open`. Example: `answer(text, { after: gate.opened })`. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open: () => open() }
}
