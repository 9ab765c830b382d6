export { mountWebhooks } from './mount.ts';
export { countDeadFromZero, processDue, purgeDeliveries } from './worker.ts';
