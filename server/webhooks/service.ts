export { mountWebhooks } from './mount.ts';
export { processDue, purgeDeliveries } from './worker.ts';
