/** ISO 4217 numbers of currencies that machines are seen to use. */
const byNumber: Record<string, string> = {
  '036': 'AUD',
  '124': 'CAD',
  '156': 'CNY',
  '203': 'CZK',
  '208': 'DKK',
  '344': 'HKD',
  '348': 'HUF',
  '356': 'INR',
  '376': 'ILS',
  '392': 'JPY',
  '410': 'KRW',
  '458': 'MYR',
  '484': 'MXN',
  '554': 'NZD',
  '578': 'NOK',
  '702': 'SGD',
  '710': 'ZAR',
  '752': 'SEK',
  '756': 'CHF',
  '826': 'GBP',
  '840': 'USD',
  '946': 'RON',
  '949': 'TRY',
  '975': 'BGN',
  '978': 'EUR',
  '980': 'UAH',
  '985': 'PLN',
  '986': 'BRL',
};

/** The currency of ID4: its letters, else its number, which may have a 1 before it. */
export function currencyOf(number: string, letters: string): string | null {
  if (/^[A-Z]{3}$/.test(letters)) return letters;
  const digits = /^1?(\d{3})$/.exec(number)?.[1];
  return (digits && byNumber[digits]) || null;
}
