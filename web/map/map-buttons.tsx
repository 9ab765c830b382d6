import type { Point } from '../../domain/location.ts';

type Props = {
  onZoom: (steps: number) => void;
  onFit: () => void;
  own: Point | null;
  onOwn: (own: Point) => void;
};

/** Zoom, everything in view, and the person's own position. */
export function MapButtons({ onZoom, onFit, own, onOwn }: Props) {
  return (
    <div className="map-panel map-buttons absolute top-2 right-2 z-2 grid overflow-hidden">
      <MapButton label="Zoom in" outline="M8 3v10M3 8h10" onPress={() => onZoom(1)} />
      <MapButton label="Zoom out" outline="M3 8h10" onPress={() => onZoom(-1)} />
      <MapButton label="Show everything" outline="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" onPress={onFit} />
      {own && <MapButton label="Show my position" outline="M13.5 2.5 2.5 7l5 1.5 1.5 5Z" onPress={() => onOwn(own)} />}
    </div>
  );
}

function MapButton({ label, outline, onPress }: { label: string; outline: string; onPress: () => void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onPress}>
      <svg
        width={16}
        height={16}
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        aria-hidden="true"
      >
        <path d={outline} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  );
}
