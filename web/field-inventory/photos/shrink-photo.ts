/** Longest side of a kept photo, px: enough to read a price tag, about 300 kB. */
const longestSidePx = 1600;
const jpegQuality = 0.8;

/** Scales a photo down and writes it anew as JPEG: what the camera noted beside the picture (place, model) is gone. */
export async function shrinkPhoto(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, longestSidePx / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('This picture could not be read'))),
      'image/jpeg',
      jpegQuality,
    );
  });
}
