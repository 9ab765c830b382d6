import { getNeed, getPickList, listNeeds } from '../../contract/need.ts';
import type { LocationRef } from '../../domain/location.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { pickListOf } from './pick-list.ts';
import { listNeedsOf, needOf } from './service.ts';

export const needEndpoints = (deps: Deps) => [
  handle(listNeeds, ({ caller, query }) =>
    listNeedsOf(deps, caller, { refs: refsOf(query), visit: query.visit ?? null }),
  ),
  handle(getNeed, ({ caller, query: { visit, ...ref } }) => needOf(deps, caller, { ref, visit: visit ?? null })),
  handle(getPickList, ({ caller, params }) => pickListOf(deps, caller, params.id)),
];

function refsOf({ markets = [], machines = [] }: { markets?: number[] | undefined; machines?: number[] | undefined }) {
  return [
    ...markets.map((id): LocationRef => ({ type: 'market', id })),
    ...machines.map((id): LocationRef => ({ type: 'vending_machine', id })),
  ];
}
