const SECRETS =
  /passw|secret|api_?key|private_?key|access_?token|iban|passport|(^|_)ssn($|_)|(social_?security|tax|national)_?(id|number)|credit_?card/i
const PERSONS =
  /e_?mail|phone|(^|_)mobile($|_)|(^|_)(first|last|full|middle|family|maiden|given|sur)_?name|birth|(^|_)dob($|_)|(street|postal|home|mail|mailing|billing|shipping|delivery)_?addr|(^|_)street($|_)|(client|user|customer|visitor|remote)_?(ip|addr)/i

/**
 * Whether a name suggests secrets or personal data. The values of such a column are never shown, even if the operator did not mark it.
 */
export function isSensitiveName(column: string): boolean {
  // The test splits a name into words. So it also finds a word in a nested column or JSON path, such as `email` in `user.email`.
  const name = column.replace(/[^\p{L}\p{N}]+/gu, '_')
  return SECRETS.test(name) || PERSONS.test(name)
}
