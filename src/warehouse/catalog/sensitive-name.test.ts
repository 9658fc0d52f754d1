import { describe, expect, it } from '@jest/globals'
import { isSensitiveColumn, isSensitiveName } from './sensitive-name.ts'

describe('isSensitiveName', () => {
  it.each([
    ...['password', 'api_key', 'Kennwort', 'Steuer-ID'],
    ...['user.email', 'E-Mail', 'phone_number', 'Telefon', 'date_of_birth', 'Geburtsdatum', 'Straße', 'Lieferanschrift'],
    ...['first_name', 'surname', 'Vorname', 'Nachname', 'customer name', 'customerName', 'user_name', 'username'],
    ...['patient_name', 'employee_name', 'order_owner_name', 'account_holder_name', 'Kundenname', 'Kunden-Name', 'Mitarbeitername'],
  ])('holds %s back', name => {
    expect(isSensitiveName(name)).toBe(true)
  })

  it.each([
    ...['name', 'product_name', 'city_name', 'table_name', 'host_name', 'metro_name', 'event_name', 'placeholder_name', 'filename', 'Produktname'],
    ...['customer_namespace', 'customer_id', 'user_type', 'patient_count', 'mobility', 'Kundennummer', 'Ortsname'],
  ])('shows %s', name => {
    expect(isSensitiveColumn({ name, type: 'String' })).toBe(false)
  })
})

describe('isSensitiveColumn', () => {
  it.each(['customer', 'Kunde', 'patient', 'Ansprechpartnerin'])('holds the text %s back, and shows the number', name => {
    expect(isSensitiveColumn({ name, type: 'LowCardinality(Nullable(String))' })).toBe(true)
    expect(isSensitiveColumn({ name, type: 'UInt32' })).toBe(false)
  })
})
