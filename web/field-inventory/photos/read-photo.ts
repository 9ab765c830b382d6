import { NotSavedError } from '../../offline/outbox/room.ts';
import { PhotosFull } from '../../offline/photos/photos.ts';
import { shrinkPhoto } from './shrink-photo.ts';

/** Larger files are no phone's photo; decoding one could end the page, bytes. */
const largestPhotoBytes = 40_000_000;

/** A picture that is not taken, with the sentence that says why. */
export class PhotoProblem extends Error {}

/** Why a picture was not kept, and what to do. */
export function photoSentence(error: unknown): string {
  const isTold = error instanceof PhotoProblem || error instanceof PhotosFull || error instanceof NotSavedError;
  return isTold ? error.message : 'This device could not keep the picture. Try again.';
}

/** What the first bytes of a file say it is, whatever its name: a PDF stays a PDF when it is called .jpg. */
async function isPicture(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  return isJpeg || text.startsWith('\x89PNG') || text.startsWith('GIF8') || isWebp(text) || text.slice(4, 8) === 'ftyp';
}

function isWebp(text: string): boolean {
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP';
}

/** The picture as it is kept and sent: a JPEG of 1600 px. */
export async function readPhoto(file: Blob): Promise<Blob> {
  if (file.size > largestPhotoBytes) {
    throw new PhotoProblem('This file is too large: at most 40 MB. Take the photo anew, or pick a smaller one.');
  }
  if (!(await isPicture(file))) {
    throw new PhotoProblem('This file is not a picture. Take a photo, or pick a JPEG, PNG or WebP.');
  }
  try {
    return await shrinkPhoto(file);
  } catch {
    throw new PhotoProblem('This picture could not be read. Take the photo anew.');
  }
}
