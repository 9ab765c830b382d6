import { Unzip, UnzipInflate } from 'fflate';

/** Little enough that one piece unpacks to no more than some MB, whatever it holds. */
const pieceBytes = 16_384;

/**
 * Whether a zip archive holds no more than `most` bytes. It is unpacked to tell, and nothing of it kept: the sizes that an
 * archive declares may be untrue. Throws for an archive that does not open.
 */
export function unpacksWithin(archive: Uint8Array, most: number): boolean {
  let size = 0;
  const unzip = new Unzip((entry) => {
    entry.ondata = (error, part) => {
      if (error) throw error;
      size += part.length;
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < archive.length && size <= most; at += pieceBytes) {
    unzip.push(archive.subarray(at, at + pieceBytes));
  }
  return size <= most;
}
