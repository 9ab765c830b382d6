/** The codes of ISO 4217 that the platform knows: three capital letters alone may be no currency (NAN). Asked at the first use, since old browsers have no such list. */
let currencies: ReadonlySet<string> | undefined;

export const noCurrency = 'There is no such currency: give its code of three letters such as EUR';

/** Whether this is the code of a currency, in capital letters. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(code);
}
