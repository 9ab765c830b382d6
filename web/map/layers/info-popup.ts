import { Popup } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import { boundsOf, type MapPlace } from '../map-data.ts';
import type { MapStage } from '../map-stage.ts';

type Shown = { places: readonly MapPlace[]; from: string };

/** The info window: at most one is open; Escape, its cross or the map close it and give the focus back to the marker. */
export function useInfoWindow(stage: MapStage | null) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [holder] = useState(() => document.createElement('div'));

  useEffect(() => {
    const around = shown && boundsOf(shown.places);
    if (!stage || !shown || !around) return;
    const popup = new Popup({ offset: 16, maxWidth: '280px', focusAfterOpen: false, closeOnMove: false })
      .setLngLat([(around.west + around.east) / 2, (around.south + around.north) / 2])
      .setDOMContent(holder)
      .addTo(stage.map);
    holder.className = 'map-info';
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setShown(null);
      stage.focusMark(shown.from);
    };
    popup.on('close', () => setShown((now) => (now === shown ? null : now)));
    stage.map.getContainer().addEventListener('keydown', close);
    return () => {
      stage.map.getContainer().removeEventListener('keydown', close);
      popup.remove();
    };
  }, [stage, shown, holder]);

  return { shown, holder, open: (places: readonly MapPlace[], from: string) => setShown({ places, from }) };
}
