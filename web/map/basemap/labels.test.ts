import { describe, expect, it } from 'vitest';
import { type Label, placeLabels, townLabels } from './labels.ts';

const screen = {
  zoom: 10,
  width: 600,
  height: 400,
  project: ({ lat, lng }: Label) => ({ x: lng, y: lat }),
  taken: [],
  limit: 20,
};

function names(towns: [string, number, number, number][], change: Partial<typeof screen> = {}): string[] {
  return placeLabels(townLabels(towns), { ...screen, ...change }).map(({ label }) => label.text);
}

describe('names on the map', () => {
  it('of larger towns win the place over smaller ones', () => {
    expect(
      names([
        ['Smallville', 100, 100, 4000],
        ['Bigtown', 104, 110, 900_000],
      ]),
    ).toEqual(['Bigtown']);
  });

  it('appear with the zoom their size deserves', () => {
    const towns: [string, number, number, number][] = [
      ['Village', 50, 100, 5000],
      ['Metropolis', 200, 300, 5_000_000],
    ];
    expect(names(towns, { zoom: 4 })).toEqual(['Metropolis']);
    expect(names(towns, { zoom: 9 })).toEqual(['Metropolis', 'Village']);
  });

  it('leave markers free', () => {
    const marker = { left: 80, right: 120, top: 90, bottom: 110 };
    expect(placeLabels(townLabels([['Town', 100, 100, 50_000]]), { ...screen, taken: [marker] })).toEqual([]);
  });

  it('are never cut by the edge', () => {
    expect(names([['Edgewater', 200, 595, 50_000]])).toEqual([]);
  });
});

describe('the name of a chosen location', () => {
  const name = (text: string, lat: number, lng: number, rim?: number): Label => ({
    text,
    lat,
    lng,
    rank: rim === undefined ? 4e9 : -1,
    minZoom: 0,
    maxZoom: 24,
    kind: 'place',
    below: 24,
    ...(rim === undefined ? {} : { rim }),
  });
  const pin = (lat: number, lng: number) => ({ left: lng - 13, right: lng + 13, top: lat - 13, bottom: lat + 13 });
  const placed = (labels: Label[], taken: ReturnType<typeof pin>[]) =>
    placeLabels(labels, { ...screen, taken }).map(({ label, x, y }) => [label.text, x, y]);

  it('stands above its marker where another marker is below', () => {
    expect(placed([name('Chosen', 200, 300, 15)], [pin(200, 300), pin(226, 300)])).toEqual([['Chosen', 300, 176]]);
  });

  it('is written over the markers of others where they leave no room, and no name of theirs over it', () => {
    const around = [-60, -30, 0, 30, 60].flatMap((dx) => [-30, 0, 30].map((dy) => pin(200 + dy, 300 + dx)));
    const labels = [name('Other', 205, 300), name('Chosen', 200, 300, 15)];
    expect(placed(labels, around)).toEqual([['Chosen', 300, 224]]);
  });

  it('goes before the name of a town', () => {
    const town = townLabels([['Metropolis', 224, 300, 5_000_000]]);
    expect(placed([...town, name('Chosen', 200, 300, 15)], [])).toEqual([['Chosen', 300, 224]]);
  });

  it('is not written over that of another chosen one', () => {
    const both = [name('First', 200, 300, 15), name('Second', 200, 302, 15)];
    const at = placed(both, []).map(([, , y]) => y);
    expect(at).toEqual([224, 176]);
  });
});
