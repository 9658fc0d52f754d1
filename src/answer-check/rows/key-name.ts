const KEY_NAME =
  /(?:^|_)(?:id|code|epoch|year|month|quarter|week|day|weekday|hour|minute|port|asn|version|level|rank|position|bucket|slot|height|cohort|block|number_of_week|status|dow|weekday|plz|zip|sku)$|(?:^|_)(?:weeks?|days?|months?|years?)_ago$/

/** Matches English and German words for a name. */
const NAMING_WORD = /(?:name|label|title|titel|bezeichnung)$/

/** Splits a column's name into lower-case words. */
export function nameWords(column: string): readonly string[] {
  return column
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
}

/** Whether a column's name suggests that its numbers are keys and not measurements. */
export function isKeyName(column: string): boolean {
  const words = nameWords(column)
  // "Litres per head and day" ends with a key's word but is a measurement.
  return KEY_NAME.test(words.join('_')) && !words.includes('per')
}

/** Whether a column's name says that its texts are names: `device_name`, `hostname`, `title`. */
export function isNameOfRow(column: string): boolean {
  return nameWords(column).some(word => NAMING_WORD.test(word))
}
