/** The one place where decimal strings of the wire become numbers: for maps and sums on screen only. */
export function toNumber(decimal: string): number {
  return Number(decimal);
}

/** Whether text is a decimal as the wire writes it; nothing is lost in asking. */
export const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** Decimal text for a formatter of numbers, which writes every digit of it. The contract says that amounts are such text. */
export function toExact(decimal: string): `${number}` {
  return decimal as `${number}`;
}

/** A coordinate as lists show it: ten metres are near enough to tell two places apart. */
export const shortDegrees = (decimal: string): string => toNumber(decimal).toFixed(4);

export function toLatLng(place: { latitude: string; longitude: string }): { lat: number; lng: number } {
  return { lat: toNumber(place.latitude), lng: toNumber(place.longitude) };
}
