/** The trays of a machine as the driver sees them. */
export { traysOf } from '../../../domain/trays.ts';
