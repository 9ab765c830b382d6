import { expect, it } from 'vitest';
import { uploadMeter } from './uploads.ts';

const none = () => 0;

it('uploads say how long they take lately, and nothing when none came', () => {
  let at = 0;
  const meter = uploadMeter(() => at);
  expect(meter.meanMs()).toBe(0);
  meter.took(100, none);
  meter.took(200, none);
  expect(meter.meanMs()).toBe(120);
  at = 2_001;
  expect(meter.meanMs()).toBe(0);
  meter.took(40, none);
  expect(meter.meanMs()).toBe(40);
});

it('one that comes waits for those that fill a transaction of their own, and for the one under way', () => {
  const meter = uploadMeter(() => 0);
  let waiting = 0.9;
  meter.took(150, () => waiting);
  // It goes together with what waits.
  expect(meter.waitMs()).toBe(0);
  waiting = 3.2;
  expect(meter.waitMs()).toBe(600);
});
