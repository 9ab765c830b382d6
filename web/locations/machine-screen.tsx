import { useParams } from 'wouter';
import { useMachine } from '../machines/api.ts';
import { LocationPage } from './location-page.tsx';

export function MachineScreen() {
  const id = Number(useParams().id);
  const machine = useMachine(id);
  const { data } = machine;
  return (
    <LocationPage
      place={{ type: 'vending_machine', id }}
      query={machine}
      head={
        data && {
          record: { type: 'vending_machine', machine: data },
          number: data.machineId,
          where: [data.address, data.city, data.state, data.location],
          facts: [data.model, data.serialNumber && `serial ${data.serialNumber}`],
        }
      }
    />
  );
}
