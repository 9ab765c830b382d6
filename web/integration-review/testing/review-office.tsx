import type { Held, PlanogramDifference, ReviewDevice } from '../../../contract/integration-review.ts';
import type { Role } from '../../../domain/permissions.ts';
import { type Answer, buildConfig, nayaxSystem, office, pageOf, show } from '../../integrations/testing/office.tsx';
import { toastStore } from '../../ui/toasts/toast.ts';
import { IntegrationReviewScreen } from '../review-screen.tsx';

export const at = '2026-01-05T10:00:00.000Z';

export const device: ReviewDevice = {
  ...{ id: 5, configId: 1, system: 'nayax', configName: 'North', vendorId: 'D5', integrationId: 'nayax:5' },
  ...{ locationType: 'vending_machine', name: 'Lobby', machineNumber: null, serialNumber: 'SN5', address: null },
  ...{ city: null, latitude: null, longitude: null, reason: 'Same name as Lobby machine', waitingSales: 12 },
  candidates: [{ type: 'vending_machine', id: 70, name: 'Lobby machine', address: '1 Main Street' }],
};
export const held: Held = {
  ...{ id: 8, configId: 1, system: 'nayax', configName: 'North', kind: 'sale', reason: 'price', alike: 4, heldAt: at },
  explanation: 'It was sold for 150.00 each. It costs 1.50 here. The amount was probably written in cents.',
  repair: { unitPrice: '1.50', amount: '1.50' },
  record: {
    ...{ productName: 'Cola', productCode: null, slotNumber: 'A1', quantity: 1, unitPrice: '150.00', amount: '150.00' },
    ...{ currency: 'USD', paymentMethod: 'card', soldAt: at, soldAtText: null },
  },
  place: { type: 'vending_machine', id: 70, name: 'Lobby machine' },
};
const planogram: PlanogramDifference = {
  ...{ id: 70, system: 'moma', name: 'Lobby machine', toldAt: at },
  slots: [
    {
      slotNumber: 'A1',
      ours: { productName: 'Water', price: '1.00', capacity: 10 },
      theirs: { productName: 'Cola', price: '1.50', capacity: 10 },
      differs: ['product', 'price'],
    },
    { slotNumber: 'A2', ours: null, theirs: { productName: 'Cola', price: '1.50', capacity: 8 }, differs: ['slot'] },
  ],
};

export function open(view: string, answer: Answer = () => undefined, role?: Role) {
  window.history.replaceState(null, '', `/integrations/review?view=${view}`);
  const server = office((call) => {
    const given = answer(call);
    if (given !== undefined) return given;
    if (call.path === '/api/integrations/review')
      return { devices: 1, held: 4, dead: 0, differences: 0, planograms: 1 };
    if (call.path === '/api/integrations/review/devices') return pageOf([device]);
    if (call.path === '/api/integrations/held') return pageOf([held]);
    if (call.path === '/api/integrations/planograms') return pageOf([planogram]);
    if (call.path === '/api/integrations/configs')
      return [buildConfig({ status: 'error', problem: 'It was revoked.' })];
    if (call.path === '/api/integrations/systems') return [nayaxSystem];
    if (call.path === '/api/demo/sandbox') return { url: null, credentials: {} };
    return pageOf([]);
  });
  show(<IntegrationReviewScreen />, role);
  return server;
}
export const toldOf = () => toastStore.get()[0];
