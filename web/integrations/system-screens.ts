import type { IntegrationSystem } from '../../domain/integration.ts';

/** `part`: where on its screen a system stands. */
type Place = { path: string; part?: string };

const own: Partial<Record<IntegrationSystem, Place>> = {
  lightspeed: { path: '/integrations' },
  cantaloupe: { path: '/cantaloupe' },
  nayax: { path: '/nayax-moma' },
  moma: { path: '/nayax-moma', part: 'tab=moma' },
  nama_vdi: { path: '/nama-vdi' },
};

export const hasOwnScreen = (system: IntegrationSystem): boolean => own[system] !== undefined;

/** Where a system is connected and looked at: on its own screen, or else among all connections. */
export const placeOf = (system: IntegrationSystem): Place =>
  own[system] ?? { path: '/integrations/review', part: `system=${system}` };

/** The address of a place, with more to ask of it. */
export function addressOf({ path, part }: Place, more?: string): string {
  const query = [part, more].filter(Boolean).join('&');
  return query === '' ? path : `${path}?${query}`;
}
