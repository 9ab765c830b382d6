/** Pixels of a map that something lies over: its upper left corner, and its lower edge. */
export type Covered = { width: number; height: number; bottom: number };
type Size = { width: number; height: number };

export const fitPaddingPx = 56;
/** What a marker and its gap take beside the place it stands at. */
const markerPx = 24;
/** So many times as wide as what is covered, a map has room beside it. */
const leastBeside = 4;
/** What is covered takes no more of the map's height than this share, above and below. */
const mostCovered = 0.4;

/** What is fitted keeps clear of: what lies over the lower edge, and the corner, beside it where the map is wide enough, else under it. */
export function fitPadding(covered: Covered, { width, height }: Size) {
  const edge = Math.min(fitPaddingPx, height / 8);
  const under = (px: number, least: number) => Math.max(least, Math.min(px + markerPx, mostCovered * height));
  const padding = { top: edge, left: edge, right: edge, bottom: under(covered.bottom, fitPaddingPx) };
  if (width > leastBeside * covered.width) return { ...padding, left: Math.max(edge, covered.width + markerPx) };
  return { ...padding, top: under(covered.height, edge) };
}
