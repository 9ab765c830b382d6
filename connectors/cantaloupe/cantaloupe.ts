import type { Connector } from '../connector.ts';
import { manifest } from './manifest.ts';
import { pull, testConnection } from './pull.ts';
import { webhook } from './webhook.ts';

export const cantaloupe: Connector = { manifest, testConnection, pull, webhook };
