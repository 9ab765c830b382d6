import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

/** The test file that every scanner knows, taken apart so that none of them objects to this one. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Speaks clamd's INSTREAM and finds the test file. */
function answer(socket: Socket): void {
  let got = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (part: Buffer) => {
    got = Buffer.concat([got, part]);
    const head = Buffer.from('zINSTREAM\0');
    if (!got.subarray(0, head.length).equals(head)) return;
    let at = head.length;
    const blocks: Buffer[] = [];
    while (at + 4 <= got.length) {
      const length = got.readUInt32BE(at);
      if (length === 0) {
        socket.end(Buffer.concat(blocks).includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
        return;
      }
      blocks.push(got.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  });
}

onEachDatabase('a virus scanner, where there is one,', (open) => {
  let test: TestApp;
  let person: Person;
  let folder: string;
  const scanner = createServer(answer);
  beforeAll(async () => {
    await new Promise<void>((resolve) => void scanner.listen(0, '127.0.0.1', resolve));
    const { port } = scanner.address() as AddressInfo;
    folder = await mkdtemp(path.join(tmpdir(), 'milkrun-scan-'));
    test = await testApp(open, { MILKRUN_DATA: folder, CLAMAV_ADDRESS: `127.0.0.1:${port}` });
    person = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
  });
  afterAll(async () => {
    await test.close();
    scanner.close();
    await rm(folder, { recursive: true, force: true });
  });

  const sendPhoto = (content: Buffer) =>
    test.app.inject({
      method: 'PUT',
      url: `/api/photos/${createHash('sha256').update(content).digest('hex')}`,
      headers: { cookie: person.cookie, 'content-type': 'image/jpeg' },
      payload: content,
    });
  const sendTable = (content: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/imports?name=list.csv&kind=products',
      headers: { cookie: person.cookie, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(content),
    });
  const picture = () =>
    sharp({
      create: { width: 900, height: 900, channels: 3, background: 'teal', noise: { type: 'gaussian', sigma: 30 } },
    })
      .jpeg()
      .toBuffer();

  it('sees photos and tables before anything is done with them', async () => {
    const clean = await picture();
    expect((await sendPhoto(clean)).statusCode).toBe(204);
    const bad = await sendPhoto(Buffer.concat([await picture(), Buffer.from(eicar)]));
    expect([bad.statusCode, bad.json().detail]).toEqual([400, expect.stringContaining('virus scanner found')]);
    expect((await sendTable('name,price\nCola,1.50\n')).statusCode).toBe(201);
    const table = await sendTable(`name,price\n${eicar},1.50\n`);
    expect([table.statusCode, table.json().detail]).toEqual([400, expect.stringContaining('virus scanner found')]);
  });

  it('that is away lets nothing past it', async () => {
    await new Promise((resolve) => scanner.close(resolve));
    const reply = await sendPhoto(await picture());
    expect([reply.statusCode, reply.json().detail]).toEqual([503, expect.stringContaining('cannot be reached')]);
  });
});
