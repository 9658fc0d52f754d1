import { readColumnType } from '../sql/column-type.ts'

const SECRETS =
  /passw|kennwort|secret|api_?key|private_?key|access_?token|iban|passport|reisepass|(^|_)ssn($|_)|(social_?security|tax|national)_?(id|number)|steuer_?(id|nummer)|credit_?card/i
const PERSONS =
  /e_?mail|phone|telefon|(^|_)mobile($|_)|birth|geburt|(^|_)dob($|_)|(street|postal|home|mail|mailing|billing|shipping|delivery)_?addr|(^|_)street($|_)|anschrift|(^|_)stra(ss|ß)e($|_)|(client|user|customer|visitor|remote)_?(ip|addr)/i
const NAMES_OF_PERSONS =
  /(^|_)(first|last|full|middle|family|maiden|given|sur|nick|vor|nach|familien)_?names?($|_)|(customer|client|user|patient|passenger|employee|staff|member|guest|student|teacher|author|owner|(card|account)_?holder|contact|person|buyer|recipient|kunden?|kundin|nutzer|mitarbeiter|patienten|gast|schüler|lehrer|inhaber|kontakt|personen|ansprechpartner)_?names?($|_)/i
const PERSON =
  /(^|_)(customer|patient|passenger|employee|guest|person|kunde|kundin|(mitarbeiter|ansprechpartner|patient)(in)?|contact_?person)$/i

/**
 * Whether a column's name suggests secrets or personal data. Clew then gathers no range and no text samples, even if the operator
 * did not mark the column as private.
 */
export function isSensitiveName(column: string): boolean {
  const name = separated(column)
  return SECRETS.test(name) || PERSONS.test(name) || NAMES_OF_PERSONS.test(name)
}

/** Also true for a text that is called as a person is, such as `customer`. A number of that name refers to another table. */
export function isSensitiveColumn({ name, type }: { readonly name: string; readonly type: string }): boolean {
  return isSensitiveName(name) || (readColumnType(type).kind === 'text' && PERSON.test(separated(name)))
}

/**
 * Separators become `_`, which the patterns expect around a word. So they also find `email` in a nested column such as
 * `user.email`.
 */
function separated(column: string): string {
  return column.replace(/[^\p{L}\p{N}]+/gu, '_')
}
