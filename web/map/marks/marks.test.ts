import { describe, expect, it } from 'vitest';
import type { MapPlace } from '../map-data.ts';
import { PlaceMarks } from './marks.ts';

const america = { west: -130, east: -60, south: 20, north: 50, zoom: 4 };

/** Places in a row, so many degrees apart. */
function places(count: number, apart = 0.001): MapPlace[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'market',
    id: index + 1,
    name: `Place ${index + 1}`,
    address: 'Street',
    lat: 35 + index * apart,
    lng: -75,
  }));
}

function kinds(list: readonly MapPlace[], view = america): string[] {
  return new PlaceMarks(list).inView(view, new Set()).map((mark) => mark.drawing.kind);
}

describe('markers', () => {
  it('stand one per location while there are few', () => {
    const near = { ...america, zoom: 12 };
    expect(kinds(places(40, 0.01), near)).toEqual(Array.from({ length: 40 }, () => 'place'));
  });

  it('become counted clusters when there are many', () => {
    expect(kinds(places(500))).toEqual(['cluster']);
  });

  it('never merge the numbered stops of a plan', () => {
    const stops = places(200).map((place, index) => ({ ...place, number: index + 1 }));
    expect(kinds(stops)).toHaveLength(200);
  });

  it('spread machines at one spot so that each can be pressed', () => {
    const bank = places(4).map((place) => ({ ...place, lat: 40 }));
    const offsets = new PlaceMarks(bank).inView(america, new Set()).map((mark) => mark.offset.join());
    expect(new Set(offsets).size).toBe(4);
  });

  it('tell a market from a machine with the same id', () => {
    const [market] = places(1);
    const both: MapPlace[] = market ? [market, { ...market, type: 'vending_machine', lat: 41 }] : [];
    const labels = new PlaceMarks(both).inView(america, new Set(['market:1'])).map((mark) => mark.label);
    expect(labels).toEqual(['📍 Place 1, selected', '🏪 Place 1']);
  });

  it('outside the view are not drawn', () => {
    expect(kinds(places(3), { ...america, north: 30 })).toEqual([]);
  });
});
