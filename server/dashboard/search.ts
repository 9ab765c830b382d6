import type { SearchResult } from '../../contract/dashboard.ts';
import { mayBeMistyped, nearWords } from '../../domain/near-words.ts';
import { may } from '../../domain/permissions.ts';
import { normalBarcode } from '../../domain/product.ts';
import { addDays } from '../../domain/time.ts';
import { partsOf, startingWith } from '../db/statements/like.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { machineInScope, marketInScope, routeInScope, scopeOf } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import { searchMachines } from './machine-search.ts';
import { nameWords } from './name-words.ts';
import { searchMarkets, searchPeople, searchProducts, searchRoutes } from './search-queries.ts';

const routesOfDays = 90;

type Hit = Omit<SearchResult, 'kind'>;
const as = (kind: SearchResult['kind'], hits: readonly Hit[]): SearchResult[] => hits.map((hit) => ({ kind, ...hit }));

/**
 * Markets, machines, products, routes and, for who manages them, people that a text may mean; a few of each.
 * Where nothing is called so, words are taken for mistyped ones.
 */
export async function search(deps: Deps, caller: Caller, text: string): Promise<SearchResult[]> {
  const words = partsOf(text);
  const found = await searchWords(deps, caller, { text, words: words.map((word) => [word]) });
  if (found.length > 0 || !words.some(mayBeMistyped)) return found;
  const known = await nameWords(deps);
  const meant = words.map((word) => [word, ...nearWords(word.toLowerCase(), known)]);
  return meant.some((meanings) => meanings.length > 1) ? searchWords(deps, caller, { text, words: meant }) : found;
}

type Asked = { text: string; words: readonly (readonly string[])[] };

async function searchWords(deps: Deps, caller: Caller, { text, words }: Asked): Promise<SearchResult[]> {
  const { db } = deps;
  const scope = await scopeOf(deps, caller);
  const wanted = { words, beginning: startingWith(text), barcode: normalBarcode(text), marketId: marketIdIn(text) };
  const from = addDays(await today(db, deps.clock), -routesOfDays);
  const [markets, machines, products, routes, people] = await Promise.all([
    searchMarkets(db, marketInScope(scope), wanted),
    searchMachines(db, { everything: scope.everything, machines: machineInScope(scope) }, wanted),
    searchProducts(db, wanted),
    searchRoutes(db, routeInScope(scope), { ...wanted, from }),
    may(caller.role, 'people:manage') ? searchPeople(db, wanted) : [],
  ]);
  return [
    ...as('market', markets),
    ...as('vending_machine', machines),
    ...as('product', products),
    ...as('route', routes),
    ...as('person', people),
  ];
}

/** The id behind a market number such as MKT-007. */
function marketIdIn(text: string): number | null {
  const match = /^mkt-0*(\d{1,9})$/i.exec(text);
  return match ? Number(match[1]) : null;
}
