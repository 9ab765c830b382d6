const centre = { lat: 40.71, lng: -74.01 };
/** Degrees to either side: about five kilometres. */
const spread = 0.05;

/** A made-up position for trying things out in the demo. `random` yields 0 up to 1. */
export function demoPosition(random: () => number): { lat: string; lng: string } {
  const near = (middle: number): string => (middle + (random() * 2 - 1) * spread).toFixed(6);
  return { lat: near(centre.lat), lng: near(centre.lng) };
}
