import { type DragEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import type { DayPlanStop } from '../../../contract/day-plans.ts';
import { serviceText } from '../../../domain/service-time.ts';
import { durationText } from '../../../domain/units.ts';
import { countOf, formatTime } from '../../http/format.ts';
import { DelayNote } from '../../incidents/delay-note.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';

type Props = {
  stop: DayPlanStop;
  number: number;
  series: number;
  disabled: boolean;
  draggable: boolean;
  /** The keyboard is moving it: focus stays with it when its row is put elsewhere. */
  carried: boolean;
  onLetGo: () => void;
  drag: { onDragStart: (event: DragEvent) => void; onDragEnd: () => void };
  onKeyDown: (event: KeyboardEvent) => void;
  onLock: () => void;
  onMove: () => void;
};

const seriesBg = ['bg-idle', 'bg-series-1', 'bg-series-2', 'bg-series-3', 'bg-series-4', 'bg-series-5'];

/** One stop of a driver: when, how long, and what is wrong with it. Dragged by mouse, moved by Alt and arrows or 'Move'. */
export function StopRow({ stop, number, series, disabled, onLock, onMove, ...row }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const { carried } = row;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser drops the focus whenever the row gets another place
  useEffect(() => {
    if (carried) element.current?.querySelector<HTMLElement>('[data-move]')?.focus();
  }, [carried, number]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do all of it too
    <div
      ref={element}
      draggable={row.draggable}
      {...row.drag}
      onKeyDown={row.onKeyDown}
      onBlur={row.onLetGo}
      className={`grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-2 px-3 pt-2 pb-1 ${disabled ? '' : 'cursor-grab'}`}
    >
      <span
        className={`grid size-5 place-items-center rounded-full font-semibold text-12 text-on-state ${seriesBg[series] ?? 'bg-idle'}`}
      >
        {number}
      </span>
      <p className="col-span-2 line-clamp-2 font-medium" title={`${stop.name}, ${stop.address}`}>
        {stop.name}
      </p>
      <div className="col-start-2 min-w-0 self-center">
        <p className="text-12 text-text-3 tabular-nums" title={serviceText(stop)}>
          <span className="font-medium text-text-2">{formatTime(stop.arrivalAt)}</span>, {durationText(stop.serviceMin)}
          {stop.totes > 0 && `, ${countOf(stop.totes, 'tote')}`}
        </p>
        <DelayNote stop={{ incidents: stop.incidents, delay: stop.delayMin * 60 }} className="block" />
        {stop.noWay && <Badge tone="bad">No way by road from the stop before</Badge>}
        {stop.lateMin > 0 && (
          <Badge tone="bad">
            {durationText(stop.lateMin)} after closing ({stop.accessHours})
          </Badge>
        )}
        {stop.waitMin > 0 && <Badge tone="warn">Waits {durationText(stop.waitMin)} for opening</Badge>}
      </div>
      <div className="-mr-2 flex self-start">
        <IconButton
          label={stop.locked ? `Unlock ${stop.name}` : `Lock ${stop.name} to this driver`}
          icon={stop.locked ? 'lock' : 'unlock'}
          disabled={disabled}
          data-locked={stop.locked || undefined}
          className="data-locked:text-accent max-lg:size-12"
          onClick={onLock}
        />
        <IconButton
          label={`Move ${stop.name}`}
          icon="swap"
          data-move
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
          disabled={disabled}
          className="max-lg:size-12"
          onClick={onMove}
        />
      </div>
    </div>
  );
}
