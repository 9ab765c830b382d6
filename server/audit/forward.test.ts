import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { parseEnv } from '../env.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { forwardAudit } from './forward.ts';
import { recordAudit, verifyChain } from './service.ts';

type Attribute = { key: string; value: { stringValue: string } };
type Message = {
  resourceLogs: { scopeLogs: { logRecords: { body: { stringValue: string }; attributes: Attribute[] }[] }[] }[];
};

onEachDatabase('the audit log goes to the collector', (open) => {
  let database: Database;
  const got: { path: string | undefined; key: string | undefined; message: Message }[] = [];
  let status = 200;
  const collector = createServer((request, reply) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      got.push({ path: request.url, key: String(request.headers['x-key']), message: JSON.parse(text) });
      reply.writeHead(status).end('{}');
    });
  });
  beforeAll(async () => {
    database = await open();
    await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await database.close();
    collector.close();
  });

  const forward = () => {
    const { port } = collector.address() as AddressInfo;
    const env = parseEnv({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=secret',
    });
    return forwardAudit({ db: database.db, env });
  };
  const note = (action: string) =>
    recordAudit(database.db, { userId: 7, address: '203.0.113.9' }, { action, detail: { n: 1 } });
  const records = () => got.flatMap(({ message }) => message.resourceLogs[0]?.scopeLogs[0]?.logRecords ?? []);
  const actions = () => records().map(({ body }) => body.stringValue);
  const attribute = (at: number, key: string) =>
    records()
      .at(at)
      ?.attributes.find((one) => one.key === key)?.value.stringValue;

  it('in order, once each, with who, from where, and the hash of the chain', async () => {
    for (const action of ['a.first', 'a.second']) await note(action);
    await forward();
    await note('auth.sign-in-failed');
    await forward();
    await forward();
    expect(got.map(({ path, key }) => [path, key])).toEqual([
      ['/v1/logs', 'secret'],
      ['/v1/logs', 'secret'],
    ]);
    expect(actions()).toEqual(['a.first', 'a.second', 'auth.sign-in-failed']);
    expect(records().at(-1)).toMatchObject({ severityText: 'WARN', timeUnixNano: expect.stringMatching(/^\d{19}$/) });
    expect([attribute(-1, 'actorId'), attribute(-1, 'address'), attribute(-1, 'detail')]).toEqual([
      '7',
      '203.0.113.9',
      '{"n":1}',
    ]);
    expect(attribute(-1, 'hash')).toBe((await verifyChain(database.db)).head);
  });

  it('again when the collector did not take it', async () => {
    await note('a.lost');
    status = 503;
    await expect(forward()).rejects.toThrow('503');
    status = 200;
    await forward();
    expect(actions().filter((action) => action === 'a.lost')).toHaveLength(2);
  });
});
