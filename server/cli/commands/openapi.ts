import { parseArgs } from 'node:util';
import { handledEndpoints } from '../../app.ts';
import type { Deps } from '../../deps.ts';
import { openApi } from '../../http/docs/openapi.ts';
import type { Command } from '../command.ts';

/** Endpoints are described without being run: their handlers never touch these. */
const noDeps = {} as Deps;

export const openapi: Command = {
  usage: 'openapi [--json]',
  summary: 'prints the OpenAPI 3.1 document',
  run: async (args, io) => {
    parseArgs({ args, options: { json: { type: 'boolean' } } });
    io.out(JSON.stringify(openApi(handledEndpoints(noDeps).map((one) => one.endpoint)), null, 2));
    return 0;
  },
};
