// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { forgetLogin, keepLogin, recallLogin, type StoredLogin } from './stored-login.ts';

const login: StoredLogin = {
  user: {
    firstName: 'Dana',
    lastName: 'Driver',
    role: 'field_worker',
    roleLabel: 'Field Operator',
    routeDesignation: '101',
  },
  deviceSession: { deviceId: 'd1', deviceType: 'tablet', deviceName: 'Van tablet', routeDesignation: '101' },
  applications: [{ id: 1, applicationName: 'mobile_inventory', label: 'Mobile Inventory', isActive: true }],
};
beforeEach(() => localStorage.clear());

it('what was kept is found again, and nothing is left after the log-out', () => {
  expect(recallLogin()).toBeNull();
  keepLogin('d1', login);
  expect(recallLogin()).toEqual(login);
  expect(localStorage.getItem('milkrun-device-id')).toBe('d1');
  forgetLogin();
  expect(localStorage.length).toBe(0);
});

it.each([
  '',
  '{broken',
  'null',
  '[]',
  '{}',
  JSON.stringify({ ...login, user: 7 }),
  JSON.stringify({ ...login, applications: [null] }),
])('stored data that does not parse is discarded: %s', (text) => {
  localStorage.setItem('milkrun-device-login', text);
  expect(recallLogin()).toBeNull();
  expect(localStorage.getItem('milkrun-device-login')).toBeNull();
});
