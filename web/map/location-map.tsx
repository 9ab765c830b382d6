import { Component, type ReactNode, useEffect, useRef, useState } from 'react';
import { latePart } from '../ui/address/late-code.tsx';
import { logged } from './logged.ts';
import { mapMinHeightPx } from './map-data.ts';
import type { LocationMapProps } from './map-props.ts';

const MapView = latePart(
  async () => (await import('./map-view.tsx')).MapView,
  <Still text="Loading the map" state="loading" />,
);

/** The map of locations. Its code loads when the map comes into sight, behind a still of the same size. */
export function LocationMap(props: LocationMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const seen = useSeen(frame);
  return (
    <div
      ref={frame}
      className="relative isolate h-full w-full overflow-hidden bg-map-land"
      style={{ minHeight: props.minHeight ?? mapMinHeightPx }}
    >
      <MapBoundary>{seen ? <MapView {...props} /> : <Still text="Loading the map" state="waiting" />}</MapBoundary>
    </div>
  );
}

function Still({ text, state }: { text: string; state: 'waiting' | 'loading' | 'failed' }) {
  return (
    <div className="absolute inset-0 grid place-items-center p-6 text-center text-text-3" data-map={state}>
      <p className="max-w-xs">{text}</p>
    </div>
  );
}

/** Lists above may still be growing right after the start, so where the map ends up is looked at a moment later. */
const settleMs = 400;

/** True from the moment the element is on the screen. */
function useSeen(frame: { current: HTMLElement | null }): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (!element || seen || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
      },
      { threshold: 0.05 },
    );
    const timer = setTimeout(() => observer.observe(element), settleMs);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [frame, seen]);
  return seen;
}

/** A browser without WebGL costs the picture only: lists beside the map hold everything. */
class MapBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(reason: unknown): void {
    logged('The map could not be drawn', reason);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <Still text="The map cannot be drawn in this browser. The list holds every location." state="failed" />;
  }
}
