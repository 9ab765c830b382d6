import { expect, it } from 'vitest';
import { dexAlerts } from './alerts.ts';
import { readDex } from './read-dex.ts';
import { buildDex, latin1Bytes } from './sample.ts';

const alertsOf = (...events: string[]) => dexAlerts(readDex(latin1Bytes(buildDex(['ID1*S*M', ...events]))));

it.each([
  ['EA1*EJC_12*260310*0800', { type: 'dex_ejc', severity: 'high', message: 'DEX: Coil jam (12).', active: null }],
  ['EA2*EJH*1*3**1', { severity: 'critical', active: true }],
  ['EA2*ENK*1*3**0', { code: 'ENK', active: false }],
  ['EA1*EOZ*260310*0800', { severity: 'high', message: 'DEX: Refrigeration: EOZ.' }],
])('%s is an alert', (event, alert) => {
  expect(alertsOf(event)).toMatchObject([alert]);
});

it.each([
  ['EA1*EGS*260310*0800'],
  ['EA1*OCF*260310*0800*18'],
  ['EA2*EJC*1*3'],
  ['EA1*ENW*260310*0800'],
  ['EA2*door was left open*1*1**1'],
  ['EA2*00000000'],
])('%s is none', (event) => {
  expect(alertsOf(event)).toEqual([]);
});

it('a damaged file tells of no fault', () => {
  const file = buildDex(['ID1*S*M', 'EA2*EJH*1*3**1']).replace('EJH*1*3', 'EJH*1*4');
  expect(dexAlerts(readDex(latin1Bytes(file)))).toEqual([]);
});
