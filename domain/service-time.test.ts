import { describe, expect, it } from 'vitest';
import { serviceMinutes, serviceText, serviceTime } from './service-time.ts';

const machine = (pastMinutes: number[], missingUnits = 48) =>
  serviceTime({ type: 'vending_machine', missingUnits, pastMinutes });

describe('the minutes of a stop', () => {
  it('are the usual rates where nobody was there yet', () => {
    expect(machine([])).toEqual({ serviceMin: 12, serviceVisits: 0 });
    expect(serviceTime({ type: 'market', missingUnits: 120, pastMinutes: [] }).serviceMin).toBe(30);
  });

  it('are the median of five visits and more, whatever one of them was', () => {
    expect(machine([20, 21, 22, 23, 239])).toEqual({ serviceMin: 22, serviceVisits: 5 });
    expect(machine([20, 21, 23, 24, 200, 22])).toEqual({ serviceMin: 23, serviceVisits: 6 });
  });

  it('lie between the usual rates and few visits', () => {
    expect(machine([22])).toEqual({ serviceMin: 14, serviceVisits: 1 });
    expect(machine([22, 22, 22, 22])).toEqual({ serviceMin: 20, serviceVisits: 4 });
  });

  it('do not count visits tapped by mistake or never closed, nor old ones', () => {
    expect(machine([0.2, 600, -5, Number.NaN])).toEqual({ serviceMin: 12, serviceVisits: 0 });
    const old = Array.from({ length: 30 }, () => 100);
    expect(machine([...Array.from({ length: 12 }, () => 10), ...old])).toEqual({ serviceMin: 10, serviceVisits: 12 });
  });

  it('never fall below the base of the kind where a place holds more than its target', () => {
    expect(serviceMinutes('market', -600)).toBe(20);
    expect(machine([], -90).serviceMin).toBe(8);
  });

  it('say where they come from', () => {
    expect(serviceText({ serviceMin: 14, serviceVisits: 6 })).toBe('about 14 min, from 6 visits');
    expect(serviceText({ serviceMin: 14, serviceVisits: 1 })).toBe('about 14 min, from 1 visit');
    expect(serviceText({ serviceMin: 14, serviceVisits: 0 })).toBe('about 14 min, estimated');
  });
});
