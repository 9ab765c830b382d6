import { z } from 'zod';
import { productInput, productUpdate } from '../domain/product.ts';
import { endpoint } from './endpoint.ts';
import { decimal, id, instant, pathId } from './shapes.ts';

export const product = z
  .object({
    id,
    name: z.string(),
    brand: z.string().nullable(),
    category: z.string().nullable(),
    unitPrice: decimal.nullable(),
    unitCost: decimal.nullable(),
    caseSize: z.int().nullable(),
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
    after: z.coerce.number<string | number>().int().min(0).optional(),
    limit: z.coerce.number<string | number>().int().min(1).max(1000).default(200),
  }),
  reply: z.array(product),
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
  body: productInput,
  reply: product,
  status: 201,
});

export const updateProduct = endpoint({
  method: 'PUT',
  path: '/api/products/:id',
  summary: 'Complete or change a product',
  needs: 'office:write',
  params: pathId,
  body: productUpdate,
  reply: product,
});
