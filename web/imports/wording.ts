import type { ImportKind } from '../../contract/imports.ts';

type KindWords = { label: string; hint: string; links: readonly { href: string; label: string }[] };

const positions = 'latitude and longitude';

export const kindWords: Record<ImportKind, KindWords> = {
  locations: {
    label: 'Markets and machines',
    hint: `One line a place, with ${positions}; a line with a Machine ID is a machine. Import these first.`,
    links: [
      { href: '/markets', label: 'Markets' },
      { href: '/vending-machines', label: 'Vending Machines' },
    ],
  },
  products: {
    label: 'Products',
    hint: 'The catalogue: name, barcode, price, cost.',
    links: [{ href: '/products', label: 'Products' }],
  },
  planogram: {
    label: 'Planogram',
    hint: 'What stands in which slot of machines that are known already, and how much of it is there now.',
    links: [{ href: '/vending-machines', label: 'Vending Machines' }],
  },
  sales: {
    label: 'Sales',
    hint: 'One line a sale, with date and price. Need and routes are reckoned from them.',
    links: [{ href: '/reports', label: 'Reports' }],
  },
};

/** What a file of a kind holds; where an address search is set up, an address says as well where a place is. */
export const hintOf = (kind: ImportKind, findsAddresses: boolean): string =>
  kindWords[kind].hint.replace(positions, findsAddresses ? `${positions} or an address` : positions);

/** What was imported, also of the kinds that have another door. */
export function kindLabel(kind: string): string {
  const known: Record<string, KindWords | undefined> = kindWords;
  return known[kind]?.label ?? 'Traffic incidents';
}

const labels: Record<string, string> = {
  id: 'Number of the place',
  machineId: 'Machine ID',
  deviceId: 'Machine ID',
  applicant: 'Company (trade name after dba)',
  kind: 'Market or machine',
  location: 'Place in the building',
  addressLine2: 'Address, second line',
  geometry: 'Point (longitude and latitude in one)',
  latitudeFirst: 'Point (latitude and longitude in one)',
  routeDesignation: 'Route designation',
  machine: 'Machine ID or name',
  productName: 'Product',
  productCode: 'Barcode',
  maxQuantity: 'Capacity',
  parQuantity: 'Par level',
  minimumQuantity: 'Minimum',
  currentQuantity: 'On hand',
  soldAt: 'Date and time of sale',
  soldTime: 'Time of sale, in a column of its own',
  processedOn: 'Date processed',
  transactionId: 'Transaction number',
  amount: 'Amount of the line',
  owner: 'Brand owner',
  subbrand: 'Sub-brand',
  modifiedOn: 'Date changed',
  shelfLifeDays: 'Shelf life in days',
  unitPrice: 'Price',
  unitCost: 'Cost',
};

/** What a column can mean, in words. */
export function fieldLabel(field: string): string {
  const spaced = field.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels[field] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** 'Latitude or Point'. */
export const anyOf = (fields: readonly string[]): string => fields.map(fieldLabel).join(' or ');
