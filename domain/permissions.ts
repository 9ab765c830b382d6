/** From the least to the most that a person may do. */
export const roles = ['field_worker', 'route_manager', 'admin'] as const;
export type Role = (typeof roles)[number];

export const roleLabel: Record<Role, string> = {
  field_worker: 'Field Operator',
  route_manager: 'Route Manager',
  admin: 'Super Admin',
};

/**
 * Who may do what, by role. Reading is limited further by scope: a field worker sees the locations of the own route
 * designation plus every stop of routes assigned from yesterday to tomorrow. Field work (counts, stops, starting an own
 * route) is allowed to everyone within scope; office data needs a manager; deleting needs an administrator.
 */
const grants = {
  'stock:read': ['field_worker', 'route_manager', 'admin'],
  'stock:count': ['field_worker', 'route_manager', 'admin'],
  'route:drive': ['field_worker', 'route_manager', 'admin'],
  'alert:acknowledge': ['field_worker', 'route_manager', 'admin'],
  'route:plan': ['route_manager', 'admin'],
  'office:write': ['route_manager', 'admin'],
  'office:read': ['route_manager', 'admin'],
  'device:pair': ['route_manager', 'admin'],
  'office:delete': ['admin'],
  'people:manage': ['admin'],
  'settings:manage': ['admin'],
  'audit:read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof grants;

/** True when the role holds the permission. */
export function may(who: Role, permission: Permission): boolean {
  const holders: readonly Role[] = grants[permission];
  return holders.includes(who);
}

/** All permissions by name, for the generated walk over endpoints and roles. */
export const permissions = Object.keys(grants) as Permission[];

export const powers = ['read', 'write', 'delete', 'admin'] as const;
export type Power = (typeof powers)[number];

/** The permission that stands for a power over the operator's records. */
const powerNeeds: Record<Power, Permission> = {
  read: 'stock:read',
  write: 'office:write',
  delete: 'office:delete',
  admin: 'people:manage',
};

/** What a role may do to the operator's records, as the Administration Dashboard counts it and as the server enforces it. */
export function powersOf(who: Role): Power[] {
  return powers.filter((one) => may(who, powerNeeds[one]));
}
