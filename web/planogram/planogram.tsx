import { useSlots } from '../machines/api.ts';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';

export function Planogram({ machineId }: { machineId: number }) {
  const slots = useSlots(machineId);
  if (slots.error && !slots.data) return <FailedView error={slots.error} retry={() => void slots.refetch()} />;
  if (!slots.data) return <SkeletonRows rows={6} />;
  return <Card title="Planogram">{slots.data.length}</Card>;
}
