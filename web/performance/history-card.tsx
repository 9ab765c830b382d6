import { useState } from 'react';
import type { PerformancePoint } from '../../contract/performance.ts';
import { formatDate, formatNumber, formatTime } from '../http/format.ts';
import { LineChart } from '../ui/charts/line-chart.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { StateView } from '../ui/state-view.tsx';
import { type Span, useHistory } from './api.ts';
import { millisecondsText, rateText } from './figures.ts';
import { Origin } from './origin.tsx';
import { Section } from './section.tsx';

type Line = {
  title: string;
  name: Exclude<keyof PerformancePoint, 'at'>;
  text: (value: number) => string;
};

type Steps = { minutesPerPoint: number; span: Span };

const lines: readonly Line[] = [
  { title: 'Response time', name: 'responseMs', text: millisecondsText },
  { title: 'Transactions per second', name: 'transactionsPerSecond', text: rateText },
  { title: 'Rows per second', name: 'rowsPerSecond', text: rateText },
  { title: 'Time of a statement', name: 'queryMs', text: millisecondsText },
  { title: 'Lateness of the process', name: 'eventLoopDelayMs', text: millisecondsText },
  { title: 'Memory of the process', name: 'memoryMb', text: (mb) => `${formatNumber(Math.round(mb))} MB` },
];

const spans: readonly { value: Span; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
];

export function HistoryCard() {
  const [span, setSpan] = useState<Span>('hour');
  return (
    <Section
      title="History"
      query={useHistory(span)}
      row="h-10"
      className="xl:col-span-2"
      actions={<Segmented label="Span" options={spans} value={span} onChange={setSpan} />}
    >
      {({ points, minutesPerPoint, origins }) =>
        points.length < 2 ? (
          <StateView icon="chart" {...beginning(minutesPerPoint)} />
        ) : (
          <div className="grid grid-cols-2 gap-x-8 gap-y-4 p-4 max-lg:grid-cols-1">
            {lines.map((line) => (
              <section key={line.title} aria-label={line.title} className="min-w-0">
                <h3 className="mb-2 flex items-center gap-1 font-medium text-text-2">
                  {line.title}
                  <Origin figure={`${line.title}, over time`} text={origins[line.name]} />
                  <span className="ml-1 font-normal text-12 text-text-3">{stepText(minutesPerPoint)}</span>
                </h3>
                <Drawn line={line} points={pointsOf(line, points, { minutesPerPoint, span })} />
              </section>
            ))}
          </div>
        )
      }
    </Section>
  );
}

type DrawnPoint = ReturnType<typeof pointsOf>[number];

/** A quiet server has nothing to tell of its calls: an axis without a line would read as a fault. */
function Drawn({ line, points }: { line: Line; points: readonly DrawnPoint[] }) {
  if (points.every(({ value }) => value === null))
    return <p className="py-8 text-center text-text-3">Nothing happened in this time that could be measured.</p>;
  return <LineChart label={line.title} columns={['Time', line.title]} scale={line.text} points={points} />;
}

/** One place for every step of time: what was not measured, such as a minute without calls, is a gap and not zero. */
function pointsOf({ name, text }: Line, points: readonly PerformancePoint[], { minutesPerPoint, span }: Steps) {
  const byStep = new Map(points.map((point) => [Date.parse(point.at), point[name]]));
  const ends = [...byStep.keys()];
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const stepMs = minutesPerPoint * 60_000;
  return Array.from({ length: Math.round((last - first) / stepMs) + 1 }, (_, step) => {
    const at = new Date(first + step * stepMs);
    const measured = byStep.get(at.getTime()) ?? null;
    const time = formatTime(at);
    const label = span === 'week' ? `${formatDate(at)}, ${time}` : time;
    return { key: at.toISOString(), label, value: measured, text: measured === null ? 'Not measured' : text(measured) };
  });
}

function stepText(minutes: number): string {
  if (minutes === 1) return 'each minute';
  return minutes < 60 ? `each ${minutes} minutes` : `each ${minutes / 60} hours`;
}

/** A week has a point every two hours: whoever waits a minute for it waits in vain. */
function beginning(minutes: number): { title: string; text: string } {
  if (minutes === 1) {
    return {
      title: 'The charts begin in a few minutes',
      text: 'Each server process writes down once a minute what it did. Two points make a line.',
    };
  }
  const step = minutes < 60 ? `${minutes} minutes` : `${minutes / 60} hours`;
  return {
    title: 'Too short a time for these charts',
    text: `A point is the mean of ${step} here, and two points make a line. The last hour shows what there is.`,
  };
}
