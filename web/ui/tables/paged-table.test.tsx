import { cleanup, render, renderHook, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { type PagedColumn, PagedTable } from './paged-table.tsx';
import { useInSight } from './use-in-sight.ts';

type Place = { id: number; name: string };

const placesFrom = (first: number, count = 50): Place[] =>
  Array.from({ length: count }, (_, n) => ({ id: first + n, name: `Place ${first + n}` }));
const keyOf = ({ id }: Place): number => id;

afterEach(cleanup);

/** What each drawing of a list showed, in turn. */
function drawings(lists: readonly Place[][]): { drawn: number; toCome: number }[] {
  const seen: { drawn: number; toCome: number }[] = [];
  const { rerender } = renderHook(
    ({ rows }) => {
      const { drawn, toCome } = useInSight(rows, keyOf);
      seen.push({ drawn: drawn.length, toCome });
    },
    { initialProps: { rows: lists[0] ?? [] } },
  );
  for (const rows of lists.slice(1)) {
    seen.length = 0;
    rerender({ rows });
  }
  return seen;
}

it('draws the rows in sight of another list first, then all of them', () => {
  const seen = drawings([placesFrom(1), placesFrom(101)]);
  expect(seen[0]).toEqual({ drawn: 16, toCome: 34 });
  expect(seen.at(-1)).toEqual({ drawn: 50, toCome: 0 });
});

it('keeps all rows of a list that was read again, also with some that are new', () => {
  const again = [...placesFrom(501, 3), ...placesFrom(1, 47)];
  expect(drawings([placesFrom(1), again]).every(({ drawn, toCome }) => drawn === 50 && toCome === 0)).toBe(true);
});

it('does not draw rows anew that stayed as they were', () => {
  const drawn: string[] = [];
  const columns: PagedColumn<Place>[] = [
    {
      key: 'name',
      header: 'Name',
      cell: ({ name }) => {
        drawn.push(name);
        return name;
      },
    },
  ];
  const [first = { id: 0, name: '' }, second = { id: 0, name: '' }] = placesFrom(1, 2);
  const table = (rows: Place[], waiting: boolean) => (
    <PagedTable
      label="Places"
      page={{ rows, total: 2, from: 1, next: null, previous: null }}
      waiting={waiting}
      columns={columns}
      rowKey={(row) => row.id}
      sort="name"
      onSort={() => {}}
      onPage={() => {}}
      empty={null}
    />
  );
  const { rerender } = render(table([first, second], false));
  drawn.length = 0;
  rerender(table([first, second], true));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(drawn).toEqual([]);
  rerender(table([first, { ...second, name: 'Renamed' }], false));
  expect(drawn).toEqual(['Renamed']);
  expect(screen.getByText('Renamed')).toBeDefined();
});
