const SECRETS =
  /passw|secret|api_?key|private_?key|access_?token|iban|passport|(^|_)ssn($|_)|(social_?security|tax|national)_?(id|number)|credit_?card/i
const PERSONS =
  /e_?mail|phone|(^|_)mobile($|_)|(^|_)(first|last|full|middle|family|maiden|given|sur)_?name|birth|(^|_)dob($|_)|(street|postal|home|mail|mailing|billing|shipping|delivery)_?addr|(^|_)street($|_)|(client|user|customer|visitor|remote)_?(ip|addr)/i

/**
 * Whether a column's name suggests secrets or personal data. Clew then gathers no range and no text samples, even if the operator
 * did not mark the column as private.
 */
export function isSensitiveName(column: string): boolean {
  // Separators become `_`, which the patterns expect around a word. So they also find `email` in a nested column such as
  // `user.email`.
  const name = column.replace(/[^\p{L}\p{N}]+/gu, '_')
  return SECRETS.test(name) || PERSONS.test(name)
}
