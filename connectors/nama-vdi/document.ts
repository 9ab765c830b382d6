import { parseXml, type Written, writeXml, XmlError, type XmlNode } from './xml.ts';

/** What the root of an inner document says about itself. */
export type Header = {
  version: string;
  type: string;
  providerId: string;
  applicationId: string;
  applicationVersion: string;
  operatorId: string;
  transactionId: string;
  transactionTime: string;
};

export type VdiDocument = { header: Header; root: XmlNode };

/** Reads the inner document, in any namespace. Throws XmlError. */
export function readDocument(source: string): VdiDocument {
  const root = parseXml(source);
  if (root.name !== 'VDITransaction') throw new XmlError('The document’s root must be VDITransaction.');
  const { attributes } = root;
  const header: Header = {
    version: attributes.VDIXMLVersion ?? '1',
    type: attributes.VDIXMLType ?? (attributes.TransactionReason === 'UploadDEX' ? 'x-dex' : ''),
    providerId: attributes.ProviderID ?? '',
    applicationId: attributes.ApplicationID ?? '',
    applicationVersion: attributes.ApplicationVersion ?? '',
    operatorId: attributes.OperatorID ?? attributes.CustomerID ?? '',
    transactionId: attributes.TransactionID ?? '',
    transactionTime: attributes.TransactionTime ?? '',
  };
  return { header, root };
}

function writeRoot(header: Header, content: Written[]): string {
  return writeXml({
    name: 'VDITransaction',
    attributes: {
      VDIXMLVersion: header.version,
      VDIXMLType: header.type,
      ProviderID: header.providerId,
      ApplicationID: header.applicationId,
      ApplicationVersion: header.applicationVersion,
      OperatorID: header.operatorId,
      TransactionID: header.transactionId,
      TransactionTime: header.transactionTime,
    },
    content,
  });
}

/** A token of the schemas: blanks collapsed, cut to the length allowed; null where nothing is left of it. */
export function token(text: string | null, most: number): string | null {
  const told = (text ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, most).trim();
  return told === '' ? null : told;
}

export type SentMarket = {
  marketId: string;
  name: string;
  address: string | null;
  location: string | null;
  kiosks: readonly { kioskId: string; serialNumber: string | null }[];
};

/** An mms-markets document, valid by the published schema, which wants at least one market. */
export function writeMarkets(header: Header, markets: readonly SentMarket[]): string {
  return writeRoot({ ...header, type: 'mms-markets' }, [
    {
      name: 'MarketsCollection',
      content: markets.map((market) => ({
        name: 'Market',
        attributes: {
          MarketID: token(market.marketId, 64) ?? '-',
          MarketName: token(market.name, 128) ?? '',
          MarketAddress: token(market.address, 128),
          MarketLocation: token(market.location, 128),
        },
        content: market.kiosks.length
          ? [
              {
                name: 'Kiosks',
                content: market.kiosks.map((kiosk) => ({
                  name: 'Kiosk',
                  attributes: { KioskID: token(kiosk.kioskId, 64) ?? '-', KioskSN: token(kiosk.serialNumber, 64) },
                })),
              },
            ]
          : [],
      })),
    },
  ]);
}

export type SentProduct = {
  productId: string;
  code: string | null;
  name: string;
  category: string | null;
  /** Decimal text. */
  cost: string | null;
  price: string | null;
  barcodes: readonly string[];
};

export type SentCatalog = {
  marketId: string;
  version: string;
  size: 'Full' | 'Partial';
  update: readonly SentProduct[];
  remove: readonly string[];
};

/** An mms-products document, valid by the published schema. */
export function writeProducts(header: Header, catalogs: readonly SentCatalog[]): string {
  return writeRoot({ ...header, type: 'mms-products' }, [
    {
      name: 'MarketsCollection',
      content: catalogs.map(({ marketId, version, size, update, remove }) => ({
        name: 'Market',
        attributes: { MarketID: token(marketId, 64) ?? '-', CatalogVersion: token(version, 64), CatalogSize: size },
        content: [
          ...(update.length ? [{ name: 'ProductsUpdate', content: update.map(productOf) }] : []),
          ...(remove.length
            ? [
                {
                  name: 'ProductsRemove',
                  content: remove.map((id) => ({ name: 'Product', attributes: { ProductID: token(id, 64) ?? '-' } })),
                },
              ]
            : []),
        ],
      })),
    },
  ]);
}

const productOf = (product: SentProduct): Written => ({
  name: 'Product',
  attributes: {
    ProductID: token(product.productId, 64) ?? '-',
    ProductCode: token(product.code, 32),
    ProductName: token(product.name, 40),
    Category: token(product.category, 40),
    Cost: product.cost,
    Price: product.price,
  },
  content: product.barcodes.length
    ? [{ name: 'Codes', content: product.barcodes.map((code) => ({ name: 'Code', content: [code] })) }]
    : [],
});

/** Our own document of version 2.0 by which we ask for others; nothing of it is published by anyone. */
export function writeRequest(
  header: Header,
  wish: { wanted: string; since: string | null; cursor: string | null },
): string {
  return writeRoot({ ...header, type: 'x-request' }, [
    { name: 'Request', attributes: { Wanted: wish.wanted, Since: wish.since, Cursor: wish.cursor } },
  ]);
}
