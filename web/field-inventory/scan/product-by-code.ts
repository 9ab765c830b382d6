import type { Product } from '../../../contract/products.ts';
import type { LocationRef } from '../../../domain/location.ts';
import type { Offline } from '../../offline/offline.ts';
import { locationInScan } from './scan-text.ts';

/** The location a scanned code stands for: an address with type and id, or the number on a machine. */
export async function findLocation(offline: Offline, text: string): Promise<LocationRef | null> {
  const named = locationInScan(text);
  if (named) return named;
  const wanted = text.trim().toLowerCase();
  const machines = await offline.store.read(['machines'], (tx) => tx.objectStore('machines').getAll());
  const found = machines.find(({ row }) => row.machineId.toLowerCase() === wanted);
  return found ? { type: 'vending_machine', id: found.row.id } : null;
}

/** Products of the catalogue on the phone whose name or brand holds every word; the first few by name. */
export async function searchProducts(offline: Offline, search: string, limit: number): Promise<Product[]> {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const kept = await offline.store.read(['products'], (tx) => tx.objectStore('products').getAll());
  return kept
    .map(({ row }) => row)
    .filter((row) => words.every((word) => `${row.name} ${row.brand ?? ''}`.toLowerCase().includes(word)))
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, limit);
}
