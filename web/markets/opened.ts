import type { MarketWithInventory } from '../../contract/markets.ts';

/** What is open beside the table: the form, the question before a delete, or a phone's choice of actions. */
export type Opened =
  | { what: 'form'; market: MarketWithInventory | null }
  | { what: 'remove' | 'actions'; market: MarketWithInventory };
