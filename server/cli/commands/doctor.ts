import { parseArgs } from 'node:util';
import { type Diagnosis, diagnose, diagnoseAgain, repair } from '../../doctor/service.ts';
import { parseEnv } from '../../env.ts';
import { openDatabase } from '../../start.ts';
import type { Command } from '../command.ts';

export const doctor: Command = {
  usage: 'doctor [--repair] [--json] [--send-to ADDRESS-OR-NUMBER]',
  summary: 'checks ledger against balances, settings, clocks, disk and backups; repairs what is safe',
  run: async (args, io) => {
    const { values } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, repair: { type: 'boolean' }, 'send-to': { type: 'string' } },
    });
    const env = parseEnv(process.env);
    const database = await openDatabase(env, io.err);
    try {
      const patient = { database, env, now: new Date(), sendTo: values['send-to'] };
      let found = await diagnose(patient);
      const repaired = values.repair ? await repair(patient, found) : [];
      if (repaired.length > 0) found = await diagnoseAgain({ ...patient, now: new Date() }, found);
      const healthy = found.every(({ state }) => state !== 'broken');
      if (values.json) io.out(JSON.stringify({ healthy, repaired, checks: found }));
      else io.out([...repaired, ...found.map(line)].join('\n'));
      return healthy ? 0 : 1;
    } finally {
      await database.close();
    }
  },
};

const words: Record<Diagnosis['state'], string> = { good: 'good', warning: 'look', broken: 'BAD' };

const line = ({ name, state, message }: Diagnosis): string => `${words[state].padEnd(5)} ${name.padEnd(10)} ${message}`;
