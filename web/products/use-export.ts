import { useState } from 'react';
import type { Product } from '../../contract/products.ts';
import { sentenceOf } from '../http/client.ts';
import { today } from '../http/format.ts';
import { type CsvColumn, csvOf, saveFile } from '../ui/csv-file.ts';
import { toast } from '../ui/toast.ts';
import { loadProductPage, type ProductFilter } from './api.ts';

const columns: readonly CsvColumn<Product>[] = [
  { header: 'Product', value: (row) => row.name },
  { header: 'Brand', value: (row) => row.brand },
  { header: 'Category', value: (row) => row.category },
  { header: 'Unit price', value: (row) => row.unitPrice },
  { header: 'Unit cost', value: (row) => row.unitCost },
  { header: 'Case size', value: (row) => row.caseSize },
  { header: 'Barcodes', value: (row) => row.barcodes.join(' ') },
];

/** Takes away every row that the filter shows, not only the page in sight. */
export function useExport(filter: ProductFilter): { pending: boolean; start: () => Promise<void> } {
  const [pending, setPending] = useState(false);
  const start = async (): Promise<void> => {
    setPending(true);
    try {
      const all: Product[] = [];
      let page: string | null = null;
      do {
        const { rows, next }: Awaited<ReturnType<typeof loadProductPage>> = await loadProductPage(filter, page);
        all.push(...rows);
        page = next;
      } while (page !== null);
      saveFile(`products-${today()}.csv`, 'text/csv;charset=utf-8', csvOf(all, columns));
    } catch (error) {
      toast({ variant: 'destructive', title: 'Export Failed', description: sentenceOf(error) });
    } finally {
      setPending(false);
    }
  };
  return { pending, start };
}
