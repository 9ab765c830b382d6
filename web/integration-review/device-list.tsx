import { useState } from 'react';
import type { ReviewDevice } from '../../contract/integration-review.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { addressText, hasPosition } from '../../domain/place.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { ComboBox } from '../ui/forms/combo-box.tsx';
import { DegreeFields } from '../ui/forms/degree-fields.tsx';
import { touch } from '../ui/row-to-settle.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { type DeviceDecision, useDecideDevice, usePlaces, useReviewDevices } from './api.ts';
import { bookedInWords, failed, PagedList, sayWhenDone } from './parts.tsx';

/** Devices of partner systems that are not linked to a place of ours by themselves. */
export function DeviceList() {
  return (
    <PagedList usePage={useReviewDevices} label="Devices" empty="Every device is linked to its market or machine.">
      {(device) => <DeviceRow device={device} />}
    </PagedList>
  );
}

const noun = ({ locationType }: ReviewDevice): string => (locationType === 'market' ? 'market' : 'machine');

function DeviceRow({ device }: { device: ReviewDevice }) {
  const { name, configName, system, address, city, machineNumber, serialNumber, reason, waitingSales } = device;
  const ids = [machineNumber && `Number ${machineNumber}`, serialNumber && `Serial ${serialNumber}`].filter(Boolean);
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-text-2">{addressText({ address, city }) || 'No address told'}</p>
        {ids.length > 0 && <p className="text-text-2">{ids.join(', ')}</p>}
        <p className="text-text-3">{`${systemLabel[system]}, ${configName}`}</p>
        {waitingSales > 0 && (
          <p className="text-warn-text">{`${countOf(waitingSales, 'sale waits', 'sales wait')} for this link`}</p>
        )}
      </div>
      <div className="grid content-start gap-3">
        {reason && (
          <p>
            <span className="text-text-3">Not linked because: </span>
            {reason}
          </p>
        )}
        <DeviceChoice device={device} />
      </div>
    </>
  );
}

function DeviceChoice({ device }: { device: ReviewDevice }) {
  const decide = useDecideDevice();
  const undo = useDecideDevice();
  const run = (decision: DeviceDecision, title: string): void =>
    sayWhenDone(decide.mutateAsync(decision), (done) => ({
      title,
      description: `${device.name}. ${bookedInWords(done)}`,
    }));
  const link = (id: number, name: string): void =>
    run({ id: device.id, verb: 'link', place: { type: device.locationType, id } }, `Linked to ${name}`);
  const ignore = (): void =>
    sayWhenDone(decide.mutateAsync({ id: device.id, verb: 'ignore', ignored: true }), () => ({
      title: 'Left out',
      description: device.name,
      action: {
        label: 'Undo',
        run: () => void undo.mutateAsync({ id: device.id, verb: 'ignore', ignored: false }).catch(failed),
      },
    }));
  return (
    <>
      {device.candidates.length > 0 && (
        <ul className="grid gap-2">
          {device.candidates.map((place) => (
            <li key={place.id} className="flex flex-wrap items-center gap-2">
              <span className="min-w-0 flex-1">
                {place.name} <span className="block text-text-3">{place.address}</span>
              </span>
              <Button
                pending={decide.isPending}
                aria-label={`Link to ${place.name}`}
                onClick={() => link(place.id, place.name)}
                className={touch}
              >
                Link
              </Button>
            </li>
          ))}
        </ul>
      )}
      <OtherPlace device={device} onChoose={link} />
      <AddPlace
        device={device}
        pending={decide.isPending}
        onAdd={(position) => run({ id: device.id, verb: 'add', position }, 'Added')}
      />
      <Button pending={decide.isPending} onClick={ignore} className={`justify-self-start ${touch}`}>
        None of ours
      </Button>
    </>
  );
}

function OtherPlace({ device, onChoose }: { device: ReviewDevice; onChoose: (id: number, name: string) => void }) {
  const [text, setText] = useState('');
  const search = useDebounced(text);
  const { data = [], error, isFetching } = usePlaces(device.locationType, search);
  const none = error ? `The ${noun(device)}s did not load. Type again to retry.` : `No ${noun(device)} has this name`;
  return (
    <ComboBox
      label={`Link to another ${noun(device)}`}
      placeholder="Name or number"
      text={text}
      onText={setText}
      loading={isFetching}
      noHit={search.trim().length > 1 ? none : undefined}
      options={data.map(({ id, name, detail }) => ({ key: String(id), label: name, detail }))}
      onChoose={({ key, label }) => onChoose(Number(key), label)}
    />
  );
}

type AddProps = {
  device: ReviewDevice;
  pending: boolean;
  onAdd: (position: { latitude?: string; longitude?: string }) => void;
};

/** A device that does not say where it is needs a position, which nobody makes up. */
function AddPlace({ device, pending, onAdd }: AddProps) {
  const isPlaced = hasPosition(device);
  const [latitude, setLatitude] = useState('');
  const [longitude, setLongitude] = useState('');
  const isTyped = latitude.trim() !== '' && longitude.trim() !== '';
  return (
    <div className="flex flex-wrap items-end gap-2">
      {!isPlaced && (
        <DegreeFields
          className="w-32"
          latitude={{ value: latitude, onChange: setLatitude }}
          longitude={{ value: longitude, onChange: setLongitude }}
          onPosition={({ lat, lng }) => {
            setLatitude(lat);
            setLongitude(lng);
          }}
        />
      )}
      <Button
        pending={pending}
        disabled={!isPlaced && !isTyped}
        onClick={() => onAdd(isPlaced ? {} : { latitude: latitude.trim(), longitude: longitude.trim() })}
        className={touch}
      >
        {`Add as a new ${noun(device)}`}
      </Button>
    </div>
  );
}
