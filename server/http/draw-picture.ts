import sharp, { type OutputInfo } from 'sharp';
import { AppError } from '../../domain/errors.ts';

/** A picture that unpacks to more than this is an attack, not a photo. */
const maxPixels = 30_000_000;
const known = ['jpeg', 'png', 'webp'];

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'];
export const maxPictureBytes = 8_000_000;

export const notAPicture = () =>
  new AppError(
    'invalid-input',
    'This file is not a picture that can be read. Take the photo again, or choose a JPEG, PNG or WebP.',
  );

export type Drawn = { data: Buffer; info: OutputInfo };

/** One picture at a time: unpacked it takes hundreds of megabytes. */
let before: Promise<unknown> = Promise.resolve();

/** A picture as a JPEG whose longer side is at most `maxSide`. */
export function drawAnew(sent: Buffer, maxSide: number): Promise<Drawn> {
  const drawn = before.then(() => draw(sent, maxSide));
  before = drawn.catch(() => undefined);
  return drawn;
}

/** Decoded and drawn again: what is hidden in a file beside its pixels, the place it was taken too, does not survive. */
async function draw(sent: Buffer, maxSide: number): Promise<Drawn> {
  const picture = () => sharp(sent, { limitInputPixels: maxPixels, failOn: 'error' });
  try {
    const { format } = await picture().metadata();
    if (!known.includes(format ?? '')) throw notAPicture();
    return await picture()
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 80, mozjpeg: true })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw notAPicture();
  }
}
