/** Names of card schemes as reports write them, and what else systems call them, without blanks and signs. */
const schemes: Readonly<Record<string, readonly string[]>> = {
  Visa: ['visa', 'visacredit', 'visadebit', 'visaelectron', 'vi'],
  Mastercard: ['mastercard', 'mastercardcredit', 'mastercarddebit', 'debitmastercard', 'mc', 'eurocard'],
  'American Express': ['americanexpress', 'amex', 'amexpress', 'ax'],
  Discover: ['discover', 'discovernetwork', 'discovercard', 'ds'],
  'Diners Club': ['dinersclub', 'diners', 'dinersclubinternational', 'dc'],
  JCB: ['jcb'],
  Maestro: ['maestro'],
  UnionPay: ['unionpay', 'chinaunionpay', 'cup'],
  Interac: ['interac'],
};

const schemeOf = new Map(Object.entries(schemes).flatMap(([name, others]) => others.map((other) => [other, name])));

/** One spelling of a card scheme whatever a system calls it; a name that is not known stays, blanks around it removed. */
export function cardScheme(told: string | null): string | null {
  const name = told?.trim() ?? '';
  if (name === '') return null;
  return schemeOf.get(name.toLowerCase().replace(/[^a-z]/g, '')) ?? name;
}

/** The scheme that a free text begins with, such as the description of a payment; null where it names none. */
export function schemeWithin(text: string | null): string | null {
  const words = (text ?? '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
  for (const [index, word] of words.entries()) {
    const found = schemeOf.get(`${word}${words[index + 1] ?? ''}`) ?? schemeOf.get(word);
    if (found) return found;
  }
  return null;
}

/** Payment by a card in a reader is called credit, whatever a system calls it: reports do not tell debit from credit. */
export function paymentMethodOf(told: string | null): string | null {
  const method = told?.trim().toLowerCase() ?? '';
  if (method === '') return null;
  return /^(?:(?:credit|debit|bank|payment)[ _/-]*)?(?:card|debit)$|^eftpos$/.test(method) ? 'credit' : method;
}
