import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can fall silent, as a router that forgets a flow: nothing comes through, and nothing is closed. */
export async function wayTo(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl);
  const open: Socket[] = [];
  const proxy = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect(Number(port || 5432), hostname);
    open.push(from, to);
    for (const socket of [from, to]) socket.on('error', () => {});
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const ownPort = typeof address === 'object' && address ? address.port : 0;
  return {
    /** The same database by this way. */
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: ownPort }).href,
    /** Of the connections that there are; new ones come through. */
    fallSilent: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    remove: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
}
