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
