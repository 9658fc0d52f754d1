/** A key or a hash, such as an address: letters and digits without a space. */
const KEY = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{24,}$/i
/** So many characters of its start and of its end are shown. */
const SHOWN = 5

/** The text of a cell. The middle of a long key is hidden until somebody focuses it, and is copied all the same. */
export function CellText({ text }: { readonly text: string }) {
  if (!KEY.test(text)) return <>{text}</>
  return (
    <span class="key" title={text}>
      {text.slice(0, SHOWN)}
      <span>{text.slice(SHOWN, -SHOWN)}</span>
      {text.slice(-SHOWN)}
    </span>
  )
}
