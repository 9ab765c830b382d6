import { z } from 'zod';
import { may, type Permission, type Power, type Role } from './permissions.ts';
import { power } from './role-schemas.ts';

/** The parts of the product that access can be given to and taken from, person by person. */
export const applicationName = z.enum([
  'mobile_inventory',
  'route_planning',
  'reports',
  'payment_reports',
  'lightspeed',
  'cantaloupe',
  'nayax',
  'moma',
  'nama_vdi',
  'integration_sync',
  'enterprise_dashboard',
]);
export type ApplicationName = z.infer<typeof applicationName>;

type Application = {
  /** Its id on the wire: never changed, never given to another. */
  id: number;
  label: string;
  /** Without this permission no access opens it: access limits what a role may do and never adds to it. */
  needs: Permission;
  /** What a role needs to write and to delete there, where that is not the permission of the office. */
  writeNeeds?: Permission;
  deleteNeeds?: Permission;
  /** The calls that belong to it and to nothing else: beginnings of `METHOD path`, `*` for any method. */
  calls: readonly string[];
  /** Screens that show nothing else. */
  screens: readonly string[];
};

export const applications: Record<ApplicationName, Application> = {
  mobile_inventory: {
    id: 1,
    label: 'Mobile Inventory',
    needs: 'stock:count',
    writeNeeds: 'stock:count',
    calls: ['* /api/sync/changes', '* /api/field-day'],
    screens: ['/mobile-inventory'],
  },
  route_planning: {
    id: 2,
    label: 'Route Planning',
    needs: 'stock:read',
    writeNeeds: 'route:plan',
    deleteNeeds: 'route:plan',
    calls: ['* /api/day-plans', '* /api/route-choices', 'POST /api/routes'],
    screens: ['/route-planning'],
  },
  reports: { id: 3, label: 'Reports', needs: 'office:read', calls: ['* /api/reports'], screens: ['/reports'] },
  payment_reports: {
    id: 4,
    label: 'Payment Reports',
    needs: 'office:read',
    calls: ['* /api/payment-reports'],
    screens: ['/payment-reports'],
  },
  lightspeed: {
    id: 5,
    label: 'Lightspeed Retail',
    needs: 'office:read',
    calls: ['* /api/lightspeed'],
    screens: ['/integrations'],
  },
  cantaloupe: {
    id: 6,
    label: 'Cantaloupe',
    needs: 'office:read',
    calls: ['* /api/cantaloupe'],
    screens: ['/cantaloupe'],
  },
  nayax: {
    id: 7,
    label: 'Nayax Core',
    needs: 'office:read',
    calls: ['* /api/nayax/', '* /api/nayax-moma'],
    screens: [],
  },
  moma: { id: 8, label: 'MoMa 2.0', needs: 'office:read', calls: ['* /api/moma', '* /api/nayax-moma'], screens: [] },
  nama_vdi: { id: 9, label: 'NAMA VDI 2.0', needs: 'office:read', calls: ['* /api/nama-vdi'], screens: ['/nama-vdi'] },
  integration_sync: {
    id: 10,
    label: 'Integration Sync',
    needs: 'office:read',
    calls: ['* /api/integration/sync'],
    screens: ['/integration-sync'],
  },
  enterprise_dashboard: {
    id: 11,
    label: 'Enterprise Performance',
    needs: 'office:read',
    calls: ['* /api/performance'],
    screens: ['/enterprise-dashboard'],
  },
};

/** Calls by which a field worker counts without the phone's outbox: the same application by another door. */
const countsByCall = ['PUT /api/inventory/', 'PUT /api/vending-machine-inventory/'];

/** The applications that a call belongs to; none for what several parts of the product share. */
export function applicationsOfCall(method: string, path: string, who: Role): ApplicationName[] {
  const begins = (call: string): boolean =>
    call.startsWith('* ') ? path.startsWith(call.slice(2)) : `${method} ${path}`.startsWith(call);
  return applicationName.options.filter(
    (name) =>
      applications[name].calls.some(begins) ||
      (name === 'mobile_inventory' && who === 'field_worker' && countsByCall.some(begins)),
  );
}

/** The powers over an application; `admin` is over people, never over one application. */
export const accessPower = power.exclude(['admin']);
export type AccessPower = z.infer<typeof accessPower>;

/** What a role may do in an application, as the calls themselves refuse it whatever access is given. */
export function rolePowers(name: ApplicationName, who: Role): AccessPower[] {
  const { needs, writeNeeds = 'office:write', deleteNeeds = 'office:delete' } = applications[name];
  const needed: Record<AccessPower, Permission> = { read: needs, write: writeNeeds, delete: deleteNeeds };
  return may(who, needs) ? accessPower.options.filter((one) => may(who, needed[one])) : [];
}

/** What a call does to records, by its HTTP method. */
export function powerOfCall(method: string): AccessPower {
  if (method === 'GET' || method === 'HEAD') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}

/** What was given to one person for one application. */
export type AccessRecord = {
  applicationName: ApplicationName;
  /** Counts only while the person is on this route; null: on any. */
  routeDesignation: string | null;
  permissions: readonly Power[];
  isActive: boolean;
  /** Counts before this instant only; null: without end. */
  expiresAt: Date | null;
};

type Person = { role: Role; routeDesignation: string | null };

/**
 * What a person may do in an application at an instant. Where nothing was ever recorded the role decides; where something
 * was, only what counts now is left, and of that never more than the role allows.
 */
export function accessTo(
  name: ApplicationName,
  person: Person,
  { records, at }: { records: readonly AccessRecord[]; at: Date },
): AccessPower[] {
  if (!may(person.role, applications[name].needs)) return [];
  const own = records.filter((record) => record.applicationName === name);
  if (own.length === 0) return [...accessPower.options];
  const counting = own.filter((record) => counts(record, person, at));
  return accessPower.options.filter((one) => counting.some(({ permissions }) => permissions.includes(one)));
}

function counts({ isActive, expiresAt, routeDesignation }: AccessRecord, person: Person, at: Date): boolean {
  if (!isActive || (expiresAt !== null && expiresAt <= at)) return false;
  return routeDesignation === null || routeDesignation === person.routeDesignation;
}

/** The applications that a person's role opens and the records close. */
export function closedTo(person: Person, held: { records: readonly AccessRecord[]; at: Date }): ApplicationName[] {
  return applicationName.options.filter(
    (name) => may(person.role, applications[name].needs) && accessTo(name, person, held).length === 0,
  );
}

/** The screens that show nothing but what is closed. */
export function closedScreens(closed: readonly ApplicationName[]): string[] {
  const both = closed.includes('nayax') && closed.includes('moma') ? ['/nayax-moma'] : [];
  return [...closed.flatMap((name) => applications[name].screens), ...both];
}

/** When an access ends next, if any does. */
export function nextExpiry({ records, at }: { records: readonly AccessRecord[]; at: Date }): Date | null {
  const ends = records.flatMap(({ isActive, expiresAt }) => (isActive && expiresAt && expiresAt > at ? expiresAt : []));
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}
