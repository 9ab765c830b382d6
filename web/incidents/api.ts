import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createIncident,
  getIncidentFactors,
  type Incident,
  importIncidents,
  listIncidents,
  listRestOffers,
  orderRest,
  type RestOffer,
  reopenIncident,
  resolveIncident,
  setIncidentFactors,
  updateIncident,
} from '../../contract/incidents.ts';
import type { IncidentFactors, IncidentInput } from '../../domain/incident.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export const useIncidents = () => useQuery(queryFor(listIncidents, { query: {} }));
export const useRestOffers = () => useQuery(queryFor(listRestOffers, {}));
export const useFactors = () => useQuery(queryFor(getIncidentFactors, {}));

/** Everything that incidents are shown in or that they slow. */
const shownIn = ['/api/traffic-incidents', '/api/routes', '/api/scheduled-routes', '/api/day-plans', '/api/dashboard'];

function changed(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => shownIn.some((start) => String(path).startsWith(start)),
  });
}

const failed = (title: string) => (error: unknown) =>
  toast({ title, description: sentenceOf(error), variant: 'destructive' });

/** Reports an incident, or changes the one given. A refusal is the form's to show. */
export function useSaveIncident(incident: Incident | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ resolvedAt: _, ...body }: IncidentInput): Promise<Incident> =>
      incident ? call(updateIncident, { params: { id: incident.id }, body }) : call(createIncident, { body }),
    onSuccess: (saved) => {
      toast({ title: incident ? 'Incident changed' : 'Incident reported', description: saved.title });
      return changed(client);
    },
  });
}

/** Ends an incident, and offers to take it back. */
export function useResolveIncident() {
  const client = useQueryClient();
  const reopen = useMutation({
    mutationFn: (id: number) => call(reopenIncident, { params: { id } }),
    onSuccess: (again) => {
      toast({ title: 'Active again', description: again.title });
      return changed(client);
    },
    onError: failed('The incident was not opened again'),
  });
  const resolve = useMutation({
    mutationFn: (id: number) => call(resolveIncident, { params: { id } }),
    onSuccess: (done) => {
      toast({
        title: 'Incident resolved',
        description: done.title,
        action: { label: 'Undo', run: () => reopen.mutate(done.id) },
      });
      return changed(client);
    },
    onError: failed('The incident was not resolved'),
  });
  return { resolve, reopen };
}

export function useImportIncidents() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (file: { name: string; content: string }) => call(importIncidents, { body: file }),
    onSuccess: () => changed(client),
  });
}

export function useSetFactors() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (factors: IncidentFactors) => call(setIncidentFactors, { body: factors }),
    onSuccess: () => {
      toast({ title: 'Factors saved', description: 'Planned routes and routes under way are timed anew.' });
      return changed(client);
    },
  });
}

/** Puts the rest of a route in the order offered, and offers to put it back. */
export function useOrderRest() {
  const client = useQueryClient();
  const order = (routeId: number, stopIds: number[]) => call(orderRest, { params: { id: routeId }, body: { stopIds } });
  const undo = useMutation({
    mutationFn: ({ routeId, previous }: { routeId: number; previous: number[] }) => order(routeId, previous),
    onSuccess: () => {
      toast({ title: 'Order put back' });
      return changed(client);
    },
    onError: failed('The order was not put back'),
  });
  return useMutation({
    mutationFn: (offer: RestOffer) => order(offer.routeId, offer.order),
    onSuccess: ({ routeId, previous }, offer) => {
      toast({
        title: 'Rest re-optimised',
        description: `${offer.routeName}: ${minutesText(offer.gainMin)} saved`,
        action: { label: 'Undo', run: () => undo.mutate({ routeId, previous }) },
      });
      return changed(client);
    },
    onError: (error) => {
      failed('The order was not changed')(error);
      return changed(client);
    },
  });
}

export function minutesText(minutes: number): string {
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
