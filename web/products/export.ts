import type { Product } from '../../contract/products.ts';
import type { Exported } from '../ui/export-dialog.tsx';
import { loadProductPage, type ProductFilter } from './api.ts';

/** The products that the filter shows, as a file has them. */
export const productsToExport = (filter: ProductFilter): Exported<Product> => ({
  name: 'products',
  one: 'product',
  many: 'products',
  load: (page) => loadProductPage(filter, page),
  columns: [
    { header: 'Product', value: (row) => row.name },
    { header: 'Brand', value: (row) => row.brand },
    { header: 'Category', value: (row) => row.category },
    { header: 'Unit price', value: (row) => row.unitPrice },
    { header: 'Unit cost', value: (row) => row.unitCost },
    { header: 'Case size', value: (row) => row.caseSize },
    { header: 'Barcodes', value: (row) => row.barcodes.join(' ') },
  ],
});
