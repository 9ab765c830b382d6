import { type ReactNode, useMemo } from 'react';
import { systemLabel } from '../../domain/integration-labels.ts';
import type { LocationRef } from '../../domain/location.ts';
import { phoneText } from '../../domain/phone-number.ts';
import { addressText } from '../../domain/place.ts';
import { useSession } from '../auth/api.ts';
import { formatDate, formatDay } from '../http/format.ts';
import { toLatLng } from '../http/parse.ts';
import { LocationMap } from '../map/location-map.tsx';
import { StopNeed } from '../need/stop-need.tsx';
import { Card } from '../ui/card.tsx';
import type { Head } from './location-head.tsx';

type Props = { place: LocationRef; head: Head };

/** Where it is, how to get in, whom to ask, and why a visit pays. */
export function AboutTab({ place, head }: Props) {
  const { record } = head;
  const data = record.type === 'market' ? record.market : record.machine;
  const { map } = useSession();
  const places = useMemo(
    () => [{ ...place, name: data.name, address: addressText(data), ...toLatLng(data) }],
    [place, data],
  );
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title="Map" className="overflow-hidden">
        <LocationMap label={`Map of ${data.name}`} places={places} styleUrl={map.styleUrl} minHeight={320} />
      </Card>
      <Card title="Access and contact">
        <dl className="divide-y divide-line">
          <Row name="Address">{addressText(data)}</Row>
          <Row name="Access hours">{data.accessHours ?? 'Any time'}</Row>
          <Row name="Access notes">{data.accessNotes}</Row>
          <Row name="Contact phone">
            {data.contactPhone && (
              <a href={`tel:${data.contactPhone}`} className="text-accent hover:underline">
                {phoneText(data.contactPhone)}
              </a>
            )}
          </Row>
          <Row name="Notes">{data.notes}</Row>
          {record.type === 'vending_machine' && (
            <>
              <Row name="Model">{record.machine.model}</Row>
              <Row name="Serial number">{record.machine.serialNumber}</Row>
              <Row name="Vendor ID">{record.machine.vendorId}</Row>
              <Row name="Installed">{record.machine.installDate && formatDay(record.machine.installDate)}</Row>
              <Row name="Last maintenance">
                {record.machine.lastMaintenance && formatDate(record.machine.lastMaintenance)}
              </Row>
            </>
          )}
          <Row name="Connected by">{sourceOf(data.integrationSource)}</Row>
        </dl>
      </Card>
      <Card title="Why a visit pays" className="xl:col-span-2">
        <StopNeed place={place} visit={null} />
      </Card>
    </div>
  );
}

/** Which system tells of it; what came with a list says so. */
function sourceOf(source: string | null): string | null {
  const known: Record<string, string> = { ...systemLabel, import: 'An imported list' };
  return source && (known[source] ?? source);
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8.75rem_minmax(0,1fr)] gap-4 px-4 py-2">
      <dt className="text-text-2">{name}</dt>
      <dd className="whitespace-pre-line break-words">{children || <span className="text-text-3">Not set</span>}</dd>
    </div>
  );
}
