import { describe, expect, it } from '@jest/globals'
import { isSensitiveColumn, isSensitiveName } from './sensitive-name.ts'

describe('isSensitiveName', () => {
  const secrets = 'password api_key Kennwort Steuer-ID'
  const persons = 'user.email E-Mail phone_number Telefon date_of_birth Geburtsdatum Straße Lieferanschrift'
  const names = 'first_name surname Vorname Nachname customer-name customerName user_name username patient_name employee_name'
  const others = 'order_owner_name account_holder_name Kundenname Kunden-Name Mitarbeitername'
  it.each([...`${secrets} ${persons} ${names} ${others}`.split(' '), 'customer name'])('holds %s back', name => {
    expect(isSensitiveName(name)).toBe(true)
  })

  const things = 'name product_name city_name table_name host_name metro_name event_name placeholder_name filename Produktname'
  const facts = 'customer_namespace customer_id user_type patient_count mobility Kundennummer Ortsname'
  it.each(`${things} ${facts}`.split(' '))('shows %s', name => {
    expect(isSensitiveColumn({ name, type: 'String' })).toBe(false)
  })
})

describe('isSensitiveColumn', () => {
  it.each(['customer', 'Kunde', 'patient', 'Ansprechpartnerin'])('holds the text %s back, and shows the number', name => {
    expect(isSensitiveColumn({ name, type: 'LowCardinality(Nullable(String))' })).toBe(true)
    expect(isSensitiveColumn({ name, type: 'UInt32' })).toBe(false)
  })
})
