/**
 * Reads OpenStreetMap extracts in PBF form, block by block, so that a file larger than memory can be read.
 * Source: wiki.openstreetmap.org/wiki/PBF_Format. Refuses files that need features it does not know.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { PbfReader } from 'pbf';
import { AppError } from '../../../domain/errors.ts';

export type Tags = Record<string, string>;
export type OsmWay = { id: number; tags: Tags; refs: number[] };
export type OsmRelation = { id: number; tags: Tags; members: { id: number; type: number; role: string }[] };
export type OsmBlock = {
  ways: () => Iterable<OsmWay>;
  relations: () => Iterable<OsmRelation>;
  /** Calls back for each node: id, latitude and longitude in degrees. */
  nodes: (found: (id: number, lat: number, lng: number) => void) => void;
};

const unzip = promisify(inflate);
/** The format's own limits. */
const headerLimit = 64 * 1024;
const blobLimit = 32 * 1024 * 1024;
const known = new Set(['OsmSchema-V0.6', 'DenseNodes']);
const notAnExtract = 'This is not a map extract: a file that ends in .osm.pbf is needed.';

/** The data blocks of a file in their order; `progress` is told the share read, from 0 to 1. */
export async function* readOsm(file: string, progress: (share: number) => void = () => {}): AsyncGenerator<OsmBlock> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    let at = 0;
    while (at < size) {
      const header = await readBlobHeader(handle, at);
      const blob = await readBytes(handle, header.dataAt, header.dataSize);
      at = header.dataAt + header.dataSize;
      const content = await contentOf(blob);
      if (header.type === 'OSMHeader') refuseUnknown(content);
      if (header.type === 'OSMData') yield blockOf(content);
      progress(at / size);
    }
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  if (bytesRead < length) throw new AppError('invalid-input', `${notAnExtract} It ends too early.`);
  return bytes;
}

async function readBlobHeader(handle: FileHandle, at: number) {
  const length = (await readBytes(handle, at, 4)).readUInt32BE();
  if (length > headerLimit) throw new AppError('invalid-input', notAnExtract);
  const header = new PbfReader(await readBytes(handle, at + 4, length)).readFields(
    (tag, found, pbf) => {
      if (tag === 1) found.type = pbf.readString();
      if (tag === 3) found.dataSize = pbf.readVarint();
    },
    { type: '', dataSize: 0 },
  );
  if (header.dataSize > blobLimit || !header.type) throw new AppError('invalid-input', notAnExtract);
  return { ...header, dataAt: at + 4 + length };
}

async function contentOf(blob: Buffer): Promise<Uint8Array> {
  const parts = new PbfReader(blob).readFields(
    (tag, found, pbf) => {
      if (tag === 1) found.raw = pbf.readBytes();
      if (tag === 3) found.zipped = pbf.readBytes();
    },
    { raw: null, zipped: null } as { raw: Uint8Array | null; zipped: Uint8Array | null },
  );
  if (parts.raw) return parts.raw;
  if (parts.zipped) return unzip(parts.zipped, { maxOutputLength: blobLimit });
  throw new AppError(
    'invalid-input',
    'The extract is packed in a way that is not known here. Use one packed with zlib.',
  );
}

function refuseUnknown(content: Uint8Array): void {
  new PbfReader(content).readFields((tag, _, pbf) => {
    if (tag !== 4) return;
    const feature = pbf.readString();
    if (!known.has(feature))
      throw new AppError('invalid-input', `The extract needs '${feature}', which is not known here.`);
  }, null);
}

type Frame = { strings: string[]; groups: Uint8Array[]; granularity: number; lat: number; lng: number };

function blockOf(content: Uint8Array): OsmBlock {
  const frame = new PbfReader(content).readFields(
    (tag, found, pbf) => {
      if (tag === 1) found.strings = readStrings(pbf.readBytes());
      if (tag === 2) found.groups.push(pbf.readBytes());
      if (tag === 17) found.granularity = pbf.readVarint();
      if (tag === 19) found.lat = pbf.readVarint(true);
      if (tag === 20) found.lng = pbf.readVarint(true);
    },
    { strings: [], groups: [], granularity: 100, lat: 0, lng: 0 } as Frame,
  );
  return {
    ways: () => messages(frame, 3).map((bytes) => readWay(frame, bytes)),
    relations: () => messages(frame, 4).map((bytes) => readRelation(frame, bytes)),
    nodes: (found) => {
      for (const bytes of messages(frame, 2)) readDense(frame, bytes, found);
      for (const bytes of messages(frame, 1)) readNode(frame, bytes, found);
    },
  };
}

function readStrings(bytes: Uint8Array): string[] {
  const strings: string[] = [];
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) strings.push(pbf.readString());
  }, null);
  return strings;
}

function messages({ groups }: Frame, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const group of groups) {
    new PbfReader(group).readFields((tag, _, pbf) => {
      if (tag === wanted) found.push(pbf.readBytes());
    }, null);
  }
  return found;
}

function summed(differences: number[]): number[] {
  let value = 0;
  return differences.map((difference) => (value += difference));
}

function tagsOf({ strings }: Frame, keys: readonly number[], values: readonly number[]): Tags {
  return Object.fromEntries(keys.map((key, index) => [strings[key] ?? '', strings[values[index] ?? 0] ?? '']));
}

function readWay(frame: Frame, bytes: Uint8Array): OsmWay {
  const way = { id: 0, keys: [] as number[], values: [] as number[], refs: [] as number[] };
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) way.id = pbf.readVarint();
    if (tag === 2) pbf.readPackedVarint(way.keys);
    if (tag === 3) pbf.readPackedVarint(way.values);
    if (tag === 8) pbf.readPackedSVarint(way.refs);
  }, null);
  return { id: way.id, tags: tagsOf(frame, way.keys, way.values), refs: summed(way.refs) };
}

function readRelation(frame: Frame, bytes: Uint8Array): OsmRelation {
  const read = { id: 0, keys: [] as number[], values: [] as number[], roles: [] as number[] };
  const ids: number[] = [];
  const types: number[] = [];
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) read.id = pbf.readVarint();
    if (tag === 2) pbf.readPackedVarint(read.keys);
    if (tag === 3) pbf.readPackedVarint(read.values);
    if (tag === 8) pbf.readPackedVarint(read.roles);
    if (tag === 9) pbf.readPackedSVarint(ids);
    if (tag === 10) pbf.readPackedVarint(types);
  }, null);
  const members = summed(ids).map((id, index) => ({
    id,
    type: types[index] ?? 0,
    role: frame.strings[read.roles[index] ?? 0] ?? '',
  }));
  return { id: read.id, tags: tagsOf(frame, read.keys, read.values), members };
}

type FoundNode = (id: number, lat: number, lng: number) => void;

const degrees = ({ granularity }: Frame, offset: number, value: number): number => (offset + granularity * value) / 1e9;

function readDense(frame: Frame, bytes: Uint8Array, found: FoundNode): void {
  const ids: number[] = [];
  const lats: number[] = [];
  const lngs: number[] = [];
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) pbf.readPackedSVarint(ids);
    if (tag === 8) pbf.readPackedSVarint(lats);
    if (tag === 9) pbf.readPackedSVarint(lngs);
  }, null);
  let [id, lat, lng] = [0, 0, 0];
  for (const [index, difference] of ids.entries()) {
    id += difference;
    lat += lats[index] ?? 0;
    lng += lngs[index] ?? 0;
    found(id, degrees(frame, frame.lat, lat), degrees(frame, frame.lng, lng));
  }
}

function readNode(frame: Frame, bytes: Uint8Array, found: FoundNode): void {
  const node = { id: 0, lat: 0, lng: 0 };
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) node.id = pbf.readSVarint();
    if (tag === 8) node.lat = pbf.readSVarint();
    if (tag === 9) node.lng = pbf.readSVarint();
  }, null);
  found(node.id, degrees(frame, frame.lat, node.lat), degrees(frame, frame.lng, node.lng));
}
