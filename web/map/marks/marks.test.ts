import { describe, expect, it } from 'vitest';
import type { MapPlace } from '../map-data.ts';
import { toWorld } from './cluster.ts';
import { extraMarks, offPlaces, PlaceMarks } from './marks.ts';

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

/** Stops of a plan about a town: a few buildings with many each, and streets between. */
function scattered(count: number): MapPlace[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  return places(count).map((place, index) => {
    const isBank = index % 3 === 0;
    const [lat, lng] = isBank ? [40 + (index % 5) / 100, -75] : [40 + next() / 10, -75 + next() / 10];
    return { ...place, lat, lng, number: index + 1 };
  });
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

  it('never merge the numbered stops of a plan while they can be told apart', () => {
    const stops = places(200, 0.01).map((place, index) => ({ ...place, number: index + 1 }));
    expect(kinds(stops, { ...america, zoom: 12 })).toEqual(Array.from({ length: 200 }, () => 'place'));
  });

  it('stand no further from their place than two markers are wide, however many there are', () => {
    for (const zoom of [4, 8, 10, 12, 14, 17]) {
      const marks = new PlaceMarks(scattered(400)).inView({ ...america, zoom }, new Set());
      const far = marks.flatMap(({ drawing, offset, lat, lng }) => {
        if (drawing.kind !== 'place') return [];
        const [from, to] = [toWorld(drawing.place), toWorld({ lat, lng })];
        const scale = 512 * 2 ** zoom;
        return [Math.hypot((to.x - from.x) * scale + offset[0], (to.y - from.y) * scale + offset[1])];
      });
      expect(Math.max(0, ...far)).toBeLessThanOrEqual(50);
    }
  });

  it('count the stops of a plan that are too many at one place, each exactly once', () => {
    for (const zoom of [4, 8, 10, 12, 14, 17]) {
      const marks = new PlaceMarks(scattered(400)).inView({ ...america, zoom }, new Set());
      const numbers = marks.flatMap(({ drawing }) => {
        if (drawing.kind === 'cluster') return drawing.places;
        return drawing.kind === 'place' ? [drawing.place] : [];
      });
      expect(new Set(numbers.map((place) => place.number)).size).toBe(400);
      expect(numbers).toHaveLength(400);
    }
  });

  it('of locations beside a plan move aside from its stops, no further than two markers are wide', () => {
    const stops = places(20, 0).map((place, index) => ({ ...place, number: index + 1 }));
    const leftOut = places(100, 0).map((place) => ({ ...place, id: place.id + 1000 }));
    const marks = new PlaceMarks([...stops, ...leftOut]).inView({ ...america, zoom: 10 }, new Set());
    expect(marks.map(({ label, offset }) => [label, Math.hypot(...offset) > 26, Math.hypot(...offset) < 50])).toEqual([
      ['100 locations', true, true],
      ['20 locations', false, true],
    ]);
  });

  it('of incidents move up where they would cover a location, and only there', () => {
    const view = { ...america, zoom: 12 };
    const [place] = places(1);
    if (!place) throw new Error('There is no place.');
    const incident = { title: 'Closed', detail: '', word: 'Closed', severity: 'high' as const, radiusKm: 1 };
    const incidents = [
      { ...incident, id: 1, lat: place.lat, lng: place.lng },
      { ...incident, id: 2, lat: place.lat + 0.2, lng: place.lng },
    ];
    const extras = extraMarks({ groups: [], depots: [], vans: [], incidents, own: null });
    const moved = offPlaces(extras, new PlaceMarks([place]).inView(view, new Set()), view.zoom);
    expect(moved.map(({ offset }) => offset[1] < 0)).toEqual([true, false]);
  });

  it('of routes under way stand above the stop they are at', () => {
    const [place] = places(1);
    if (!place) throw new Error('There is no place.');
    const van = { key: '1', label: '202', detail: '9:40 AM', lat: place.lat, lng: place.lng, series: 1 as const };
    const [mark] = extraMarks({ groups: [], depots: [], vans: [van], incidents: [], own: null });
    expect(mark?.offset).toEqual([0, -30]);
  });

  it('of one route or all chosen are counted in its colour and as chosen', () => {
    const bank = places(9, 0).map((place) => ({ ...place, isApart: true, series: 2 as const }));
    const keys = bank.map(({ id }) => `market:${id}`);
    const drawn = (list: MapPlace[], chosen: string[]) =>
      new PlaceMarks(list).inView(america, new Set(chosen)).map(({ drawing, label }) => {
        if (drawing.kind !== 'cluster') return null;
        return [drawing.series, drawing.selected, label];
      });
    expect(drawn(bank, keys)).toEqual([[2, true, '9 locations, selected']]);
    const mixed = bank.map((place, index) => ({ ...place, series: index === 0 ? (1 as const) : (2 as const) }));
    expect(drawn(mixed, keys.slice(1))).toEqual([[undefined, false, '9 locations']]);
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
