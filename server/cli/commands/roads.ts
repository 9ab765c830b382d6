import { parseArgs } from 'node:util';
import { parseEnv } from '../../env.ts';
import { buildRoads, requireRoadsFolder } from '../../roads/service.ts';
import type { Command } from '../command.ts';

export const roads: Command = {
  usage: 'roads build FILE.osm.pbf [--json]',
  summary: 'builds road engine and street map from a map extract',
  run: async (args, io) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json: { type: 'boolean' } } });
    const [verb, file = '', ...more] = positionals;
    if (verb !== 'build' || file === '' || more.length > 0) {
      io.err(`Name one map extract.\nUsage: milkrun ${roads.usage}`);
      return 2;
    }
    const { roadsFolder } = parseEnv(process.env);
    requireRoadsFolder(roadsFolder);
    const built = await buildRoads({ extract: file, folder: roadsFolder, at: new Date(), say: io.err });
    if (values.json) io.out(JSON.stringify(built));
    else io.out(`${built.tiles} map tiles${built.engine ? ' and the road engine' : ''} are in ${roadsFolder}.`);
    if (built.missing) io.err(built.missing);
    return built.missing ? 1 : 0;
  },
};
