export { takeDexReads } from './arrivals.ts';
export { recordRead } from './record.ts';
