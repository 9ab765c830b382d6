import type { VendingMachine } from '../../contract/machines.ts';
import type { Exported } from '../ui/dialogs/export-dialog.tsx';
import { loadMachinePage, type MachineFilter } from './api.ts';

/** The machines that the filter shows, as a file has them. */
export const machinesToExport = (filter: MachineFilter): Exported<VendingMachine> => ({
  name: 'vending-machines',
  one: 'machine',
  many: 'machines',
  load: (page) => loadMachinePage(filter, page),
  columns: [
    { header: 'Machine ID', value: (row) => row.machineId },
    { header: 'Name', value: (row) => row.name },
    { header: 'Location', value: (row) => row.location },
    { header: 'Address', value: (row) => row.address },
    { header: 'City', value: (row) => row.city },
    { header: 'State', value: (row) => row.state },
    { header: 'Latitude', value: (row) => row.latitude },
    { header: 'Longitude', value: (row) => row.longitude },
    { header: 'Status', value: (row) => row.status },
    { header: 'Route', value: (row) => row.routeDesignation },
    { header: 'Model', value: (row) => row.model },
    { header: 'Serial number', value: (row) => row.serialNumber },
    { header: 'Capacity', value: (row) => row.capacity },
    { header: 'Current stock', value: (row) => row.currentStock },
    { header: 'Low slots', value: (row) => row.lowSlots },
    { header: 'Empty slots', value: (row) => row.emptySlots },
    { header: 'Last restocked', value: (row) => row.lastRestocked },
    { header: 'Access hours', value: (row) => row.accessHours },
  ],
});
