import { endpoint } from './endpoint.ts';
import { empty } from './shapes.ts';

export const checkExport = endpoint({
  method: 'GET',
  path: '/api/export/room',
  summary: 'Whether everything can be exported now: refused with what to do where the disk has no room for the archive',
  needs: 'settings:manage',
  reply: empty,
});
