import type { ClipboardEvent } from 'react';
import { bothCoordinates } from '../../../domain/place.ts';
import { TextField } from './text-field.tsx';

export type DegreeField = {
  value: string;
  error?: string | undefined;
  onChange: (text: string) => void;
  onBlur?: () => void;
};

type Props = {
  latitude: DegreeField;
  longitude: DegreeField;
  required?: boolean;
  className?: string;
  onPosition: (position: { lat: string; lng: string }) => void;
};

/** Latitude and longitude to type, or to paste into either as maps copy them: both at once. */
export function DegreeFields({ latitude, longitude, required = false, className = '', onPosition }: Props) {
  function onPaste(event: ClipboardEvent<HTMLInputElement>): void {
    const both = bothCoordinates(event.clipboardData.getData('text'));
    if (!both) return;
    event.preventDefault();
    onPosition(both);
  }
  // The keyboard for decimals has no minus sign on some phones.
  const shared = { required, inputMode: 'text', autoComplete: 'off', className, onPaste } as const;
  return (
    <>
      <TextField label="Latitude" {...shared} {...latitude} />
      <TextField label="Longitude" {...shared} {...longitude} />
    </>
  );
}
