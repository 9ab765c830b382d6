import { z } from 'zod';
import { locationType } from '../domain/location.ts';
import { barcode, productInput, productUpdate } from '../domain/product.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { decimal, empty, id, instant, pathId, wholeNumber } from './shapes.ts';

export const product = z
  .object({
    id,
    name: z.string(),
    brand: z.string().nullable(),
    category: z.string().nullable(),
    unitPrice: decimal.nullable(),
    unitCost: decimal.nullable(),
    caseSize: z.int().nullable(),
    shelfLifeDays: z
      .int()
      .nullable()
      .optional()
      .meta({ description: 'Days that it keeps in a slot; absent in what a phone kept of an older release' }),
    picture: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Which picture it has, at /api/products/:id/picture; null: none' }),
    version: z
      .int()
      .optional()
      .meta({ description: 'Rises with every change; If-Match refuses an edit of an older one' }),
    barcodes: z.array(z.string()),
    updatedAt: instant,
  })
  .meta({ id: 'Product' });
export type Product = z.output<typeof product>;

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/products',
  summary: 'Catalogue, by name; `search` matches name, brand or barcode',
  needs: 'stock:read',
  query: z.object({
    search: z.string().max(100).optional(),
    after: wholeNumber(0).optional(),
    limit: wholeNumber(1, 1000).default(200),
  }),
  reply: z.array(product),
});

export const pageProducts = endpoint({
  method: 'GET',
  path: '/api/products/page',
  summary: 'A page of the catalogue, searched by name, brand, category or barcode, and sorted',
  needs: 'stock:read',
  query: pageQuery.extend({
    search: z.string().max(100).optional(),
    gaps: z
      .enum(['all', 'cost', 'price', 'barcode'])
      .default('all')
      .meta({ description: 'Only products that lack this' }),
    sort: sortBy('name', 'brand', 'category', 'price', 'cost', 'margin', 'changed').default('name'),
  }),
  reply: pageOf(product),
});

export const findProductByBarcode = endpoint({
  method: 'GET',
  path: '/api/products/by-barcode/:code',
  summary: 'Look up a scanned barcode; 8, 12, 13 and 14 digit forms of one GTIN are the same',
  needs: 'stock:read',
  params: z.object({ code: z.string().min(1).max(50) }),
  reply: z.object({ found: z.boolean(), product: product.nullable() }),
});

export const createProduct = endpoint({
  method: 'POST',
  path: '/api/products',
  summary: 'Add a product to the catalogue',
  needs: 'office:write',
  once: true,
  body: productInput,
  reply: product,
  status: 201,
});

export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/products/:id/picture',
  summary: 'Remove the picture of a product',
  needs: 'office:write',
  params: pathId,
  reply: empty,
});

export const addBarcode = endpoint({
  method: 'POST',
  path: '/api/products/:id/barcodes',
  summary: 'Give a barcode to a product beside those it has; one it has already changes nothing',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({ barcode }),
  reply: product,
});

const productPlace = z.object({
  key: z.int(),
  type: locationType,
  id,
  name: z.string(),
  slotNumber: z.string().nullable(),
  quantity: z.int(),
  capacity: z.int().nullable().meta({ description: 'What the slot holds; null at markets' }),
  price: decimal.nullable(),
});

export const productCard = product
  .extend({
    names: z.array(z.object({ id, name: z.string() })).meta({ description: 'Other names it was known under' }),
    quantity: z.int().meta({ description: 'Units in the field' }),
    places: z.int().meta({ description: 'Slots and market items that hold it' }),
    sold: z.object({
      days: z.int(),
      units: z.int(),
      unitsBefore: z.int(),
      amount: decimal,
      margin: decimal.nullable().meta({
        description: 'Of what was paid in the operator’s currency; null where no cost is known',
      }),
      foreignUnits: z.int().meta({ description: 'Units paid in another currency: in neither amount nor margin' }),
    }),
  })
  .meta({ id: 'ProductCard' });
export type ProductCard = z.output<typeof productCard>;

export const getProduct = endpoint({
  method: 'GET',
  path: '/api/products/:id',
  summary: 'A product: where it is, how it sells, what it earns',
  needs: 'office:read',
  params: pathId,
  reply: productCard,
});

export const updateProduct = endpoint({
  method: 'PUT',
  path: '/api/products/:id',
  summary: 'Complete or change a product',
  needs: 'office:write',
  params: pathId,
  body: productUpdate,
  readAs: productCard,
  reply: product,
});

export type ProductPlace = z.output<typeof productPlace>;

export const pageProductPlaces = endpoint({
  method: 'GET',
  path: '/api/products/:id/places',
  summary: 'A page of the slots and market items that hold a product',
  needs: 'office:read',
  params: pathId,
  query: pageQuery.extend({ sort: sortBy('name', 'quantity', 'price').default('name') }),
  reply: pageOf(productPlace),
});

export const mergePreview = z
  .object({
    kept: product,
    merged: z.array(z.object({ id, name: z.string(), items: z.int(), slots: z.int(), barcodes: z.array(z.string()) })),
  })
  .meta({ id: 'MergePreview' });
export type MergePreview = z.output<typeof mergePreview>;

const mergeBody = z.strictObject({
  merged: z.array(id).min(1, 'Choose at least one other product').max(50),
  dryRun: z.boolean().default(false).meta({ description: 'Says what would move and changes nothing' }),
});

export const mergeProducts = endpoint({
  method: 'POST',
  path: '/api/products/:id/merge',
  summary: 'Make other products another name of this one: stock and barcodes move to it',
  needs: 'office:write',
  params: pathId,
  body: mergeBody,
  reply: mergePreview,
});

export const unmergeProduct = endpoint({
  method: 'POST',
  path: '/api/products/:id/unmerge',
  summary: 'Undo a merge: the product is one of its own again, with what it had',
  needs: 'office:write',
  params: pathId,
  reply: product,
});
