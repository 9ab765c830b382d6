/**
 * What is worked on together. Phones and partners come first, because what they bring is lost time for somebody; then
 * people who wait at a screen; reports and exports last. Files come slowly from far away: they take nobody else's place.
 */
export type Pool = 'sync' | 'interactive' | 'files' | 'background';

const syncPaths = ['/api/sync/', '/api/webhooks/', '/vdi'];
const filePaths = ['/api/photos', '/api/imports', '/api/traffic-incidents/import'];
const backgroundPaths = ['/api/reports', '/api/payment-reports', '/api/export'];

/** Null for what is always answered: health, metrics, files, and streams, which wait rather than work. */
export function poolOf(path: string): Pool | null {
  if (syncPaths.some((start) => path.startsWith(start))) return 'sync';
  if (!path.startsWith('/api/') || path.startsWith('/api/events')) return null;
  if (filePaths.some((start) => path.startsWith(start))) return 'files';
  return backgroundPaths.some((start) => path.startsWith(start)) ? 'background' : 'interactive';
}
