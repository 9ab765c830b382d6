/** The codes of ISO 4217 that are in use, as the platform knows them: three capital letters alone may be no currency (NAN). */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const noCurrency = 'There is no such currency: give its code of three letters such as EUR';

/** Whether this is the code of a currency, in capital letters. */
export const isCurrency = (code: string): boolean => currencies.has(code);
