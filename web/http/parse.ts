/** The one place where decimal strings of the wire become numbers: for maps and sums on screen only. */
export function toNumber(decimal: string): number {
  return Number(decimal);
}

export function toLatLng(place: { latitude: string; longitude: string }): { lat: number; lng: number } {
  return { lat: toNumber(place.latitude), lng: toNumber(place.longitude) };
}
