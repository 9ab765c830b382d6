import { describe, expect, it } from 'vitest';
import { type DrivenLeg, defaultEstimate, estimateSeconds, fewestLegs, fitEstimate } from './travel-estimate.ts';

/** Legs driven at given speeds on roads of a given detour, 0.5 to 30 km long. */
function driven(count: number, truth: typeof defaultEstimate, isMeasured: boolean): DrivenLeg[] {
  return Array.from({ length: count }, (_, index) => {
    const straightKm = 0.5 + ((index * 7) % 60) / 2;
    const roadKm = straightKm * truth.detourFactor;
    const wobble = 1 + (((index * 13) % 11) - 5) / 100;
    return {
      straightKm,
      drivenSeconds: Math.round(estimateSeconds(roadKm, truth) * wobble),
      roadKm: isMeasured ? roadKm : null,
    };
  });
}

describe('the estimate of driving', () => {
  it('is slow in town and faster the farther', () => {
    expect(estimateSeconds(3)).toBe(360);
    expect(estimateSeconds(15)).toBe(360 + 960);
    expect(estimateSeconds(95)).toBe(360 + 960 + 3600);
  });

  it('learns the speeds of completed routes', () => {
    const fit = fitEstimate(driven(200, { detourFactor: 1.3, speedsKmh: [20, 35, 60] }, false));
    expect(fit?.estimate.speedsKmh[1]).toBeGreaterThan(32);
    expect(fit?.estimate.speedsKmh[1]).toBeLessThan(38);
    expect(fit?.estimate.speedsKmh[2]).toBeGreaterThan(56);
    expect(fit?.estimate.speedsKmh[2]).toBeLessThan(64);
    expect(fit?.errorAfterMin).toBeLessThan((fit?.errorBeforeMin ?? 0) / 2);
  });

  it('learns the detour only where roads were measured', () => {
    const truth = { detourFactor: 1.6, speedsKmh: defaultEstimate.speedsKmh };
    expect(fitEstimate(driven(100, truth, true))?.estimate.detourFactor).toBe(1.6);
    expect(fitEstimate(driven(100, truth, false))?.estimate.detourFactor).toBe(1.3);
  });

  it('is hardly moved by drivers who had lunch on the way', () => {
    const legs = driven(200, defaultEstimate, false);
    const some = legs.map((leg, index) => (index % 10 ? leg : { ...leg, drivenSeconds: leg.drivenSeconds + 2700 }));
    const [, around = 0] = fitEstimate(some)?.estimate.speedsKmh ?? [];
    expect(Math.abs(around - 45)).toBeLessThan(4);
  });

  it('learns nothing from a few legs, nor from breaks of hours', () => {
    expect(fitEstimate(driven(fewestLegs - 1, defaultEstimate, true))).toBeNull();
    const breaks = driven(100, defaultEstimate, true).map((leg) => ({ ...leg, drivenSeconds: 4 * 3600 }));
    expect(fitEstimate(breaks)).toBeNull();
  });
});
