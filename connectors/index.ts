import { cantaloupe } from './cantaloupe/cantaloupe.ts';
import type { Connector } from './connector.ts';
import { lightspeed } from './lightspeed/connector.ts';
import { moma } from './moma/connector.ts';
import { namaVdi } from './nama-vdi/connector.ts';
import { nayax } from './nayax/connector.ts';

/** Every partner system that can be connected: a connector is registered by its line here. */
export const connectors: readonly Connector[] = [lightspeed, cantaloupe, nayax, moma, namaVdi];
