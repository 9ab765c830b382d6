import { expect, test } from 'vitest';
import { PhotoProblem, readPhoto } from './read-photo.ts';

const problemOf = async (file: Blob) => readPhoto(file).catch((error: unknown) => error);

test('a file of 60 MB is refused before it is read', async () => {
  const problem = await problemOf(new Blob([new Uint8Array(60_000_000)], { type: 'image/jpeg' }));
  expect(problem).toBeInstanceOf(PhotoProblem);
  expect(String(problem)).toContain('too large');
});

test('a PDF that is called a JPEG is no picture', async () => {
  const problem = await problemOf(new File(['%PDF-1.7 and more'], 'shelf.jpg', { type: 'image/jpeg' }));
  expect(String(problem)).toContain('not a picture');
});

test('a picture cut off half way is told apart from a file that is none', async () => {
  const problem = await problemOf(new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], { type: 'image/jpeg' }));
  expect(String(problem)).toContain('could not be read');
});
