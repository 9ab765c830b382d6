import type { Product, ProductPlace } from '../../contract/products.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { loadPlacesPage, loadProductPage, type ProductFilter } from './api.ts';

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

/** Where a product is, as a file has it. */
export const placesToExport = (id: number, sort: string): Exported<ProductPlace> => ({
  name: `places-of-product-${id}`,
  one: 'place',
  many: 'places',
  load: (page) => loadPlacesPage(id, { sort, page, limit: 1000 }),
  columns: [
    { header: 'Location', value: (place) => place.name },
    { header: 'Kind', value: (place) => (place.type === 'market' ? 'Market' : 'Vending machine') },
    { header: 'Slot', value: (place) => place.slotNumber },
    { header: 'Units', value: (place) => place.quantity },
    { header: 'Capacity', value: (place) => place.capacity },
    { header: 'Price', value: (place) => place.price },
  ],
});
