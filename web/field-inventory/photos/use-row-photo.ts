import { type RefObject, useCallback } from 'react';
import { flushSync } from 'react-dom';
import { canKeepPhotos } from '../../offline/photos/photos.ts';
import type { Modes } from '../mode-toggles.tsx';

type RowPhoto = { camera: RefObject<HTMLInputElement | null>; modes: Modes; onModes: (modes: Modes) => void };

/** Opens the camera from a row of the stock; Photo mode, which shows the pictures, comes with it. Null where none can be kept. */
export function useRowPhoto({ camera, modes, onModes }: RowPhoto): (() => void) | null {
  const open = useCallback(() => {
    // Within the tap: later a browser opens no camera.
    if (!modes.photo) flushSync(() => onModes({ ...modes, photo: true }));
    camera.current?.click();
  }, [camera, modes, onModes]);
  return canKeepPhotos() ? open : null;
}
