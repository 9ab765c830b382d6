import type { Product } from '../../contract/products.ts';
import type { LocationRef } from '../../domain/location.ts';
import type { Offline } from '../offline/offline.ts';
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

/** Null when it is done, else the sentence to show. The new barcode then comes with the next download. */
export async function attachBarcode(offline: Offline, product: Product, code: string): Promise<string | null> {
  const body = { barcodes: [...product.barcodes, code] };
  return send(offline, { method: 'PUT', path: `/api/products/${product.id}`, body });
}

export async function createWithBarcode(offline: Offline, name: string, code: string): Promise<string | null> {
  return send(offline, { method: 'POST', path: '/api/products', body: { name, barcodes: [code] } });
}

async function send(
  offline: Offline,
  call: Parameters<Offline['environment']['transport']>[0],
): Promise<string | null> {
  const answer = await offline.environment.transport(call);
  if (answer.outcome === 'refused') return answer.detail;
  if (answer.outcome === 'unreachable')
    return 'There is no network. Note the code for the manager, or try again later.';
  await offline.refresh();
  return null;
}
