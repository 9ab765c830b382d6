import { readDex } from '../connectors/dex/read-dex.ts';
import { buildDex, latin1Bytes } from '../connectors/dex/sample.ts';
import { compare } from './measure.ts';

/** A large file of a snack machine: 120 selections with prices, counts and the split by device, about 20 kB. */
function largeFile(): Uint8Array {
  const selections = Array.from({ length: 120 }, (_, n) => [
    `PA1*${100 + n}*175*PRODUCT ${n}`,
    `PA2*${n * 7}*${n * 7 * 175}*3*525`,
    ...['CA', 'DA', 'DB'].map((device) => `PA7*${100 + n}*${device}*1*175*${n}*${n * 175}*1*175`),
    'PA8*0*0*0*0',
  ]);
  return latin1Bytes(buildDex(['ID1*S1*M1', 'ID4*2*840', 'VA1*1*1*1*1', ...selections.flat()]));
}

/** How long reading one large DEX file takes, against merely walking through its bytes. Returns whether it is in 5 ms. */
export async function dexTimes(say: (line: string) => void): Promise<boolean> {
  const bytes = largeFile();
  let seen = 0;
  const contenders = [
    {
      name: 'walk through the bytes',
      call: async () =>
        bytes.forEach((byte) => {
          seen ^= byte;
        }),
    },
    {
      name: 'read the file',
      call: async () => {
        seen ^= readDex(bytes).selections.length;
      },
    },
  ];
  const [walk, read] = await compare(contenders, { rounds: 5, calls: 200 });
  if (!walk || !read) return false;
  const ratio = (read.cpuMsPerCall / walk.cpuMsPerCall).toFixed(0);
  say(
    `DEX file of ${(bytes.length / 1000).toFixed(0)} kB: p50 ${read.p50Ms.toFixed(2)} ms, p99 ${read.p99Ms.toFixed(2)} ms, ${ratio} times a walk through its bytes`,
  );
  return read.p50Ms <= 5 && seen >= 0;
}
