import { z } from 'zod';
import {
  incidentFactors,
  incidentInput,
  incidentSeverity,
  incidentStatus,
  incidentType,
  incidentUpdate,
} from '../domain/incident.ts';
import { keepableText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { decimal, id, instant, pathId } from './shapes.ts';

export const incident = z
  .object({
    id,
    title: z.string(),
    description: z.string().nullable(),
    latitude: decimal,
    longitude: decimal,
    severity: incidentSeverity,
    type: incidentType,
    status: incidentStatus,
    radius: z.number().meta({ description: 'Kilometres' }),
    estimatedDuration: z
      .int()
      .nullable()
      .meta({ description: 'Minutes; null: until it is resolved, at most for the day it begins on' }),
    roadClosed: z.boolean(),
    reportedAt: instant,
    resolvedAt: instant.nullable(),
    source: z.string(),
    counts: z
      .boolean()
      .meta({ description: 'Active, begun and not past its estimated duration or, without one, its day' }),
  })
  .meta({ id: 'TrafficIncident' });
export type Incident = z.output<typeof incident>;

export const listIncidents = endpoint({
  method: 'GET',
  path: '/api/traffic-incidents',
  summary: 'Traffic incidents, the active ones first; resolved ones of the past 30 days',
  needs: 'signed-in',
  query: z.object({ status: incidentStatus.optional() }),
  reply: z.array(incident),
});

export const getIncident = endpoint({
  method: 'GET',
  path: '/api/traffic-incidents/:id',
  summary: 'One traffic incident',
  needs: 'signed-in',
  params: pathId,
  reply: incident,
});

export const createIncident = endpoint({
  method: 'POST',
  path: '/api/traffic-incidents',
  summary: 'Report a traffic incident; routes under way and planned ones are timed anew',
  needs: 'office:write',
  once: true,
  body: incidentInput,
  reply: incident,
  status: 201,
});

export const updateIncident = endpoint({
  method: 'PATCH',
  path: '/api/traffic-incidents/:id',
  summary: 'Change a traffic incident',
  needs: 'office:write',
  params: pathId,
  body: incidentUpdate,
  reply: incident,
});

export const resolveIncident = endpoint({
  method: 'POST',
  path: '/api/traffic-incidents/:id/resolve',
  summary: 'Say that a traffic incident is over; saying so twice keeps the first time',
  needs: 'office:write',
  params: pathId,
  reply: incident,
});

export const reopenIncident = endpoint({
  method: 'POST',
  path: '/api/traffic-incidents/:id/reopen',
  summary: 'Take back that a traffic incident is over',
  needs: 'office:write',
  params: pathId,
  reply: incident,
});

const rowReport = z.object({
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.array(z.object({ line: z.int(), reason: z.string() })),
  notes: z.array(z.string()),
});
export type IncidentImport = z.output<typeof rowReport>;

/** Most characters of an imported file. */
export const maxImportLength = 500_000;

export const importIncidents = endpoint({
  method: 'POST',
  path: '/api/traffic-incidents/import',
  summary: 'Take traffic incidents from the text of a CSV file; a second time changes nothing',
  needs: 'office:write',
  body: z.strictObject({
    name: z.string().overwrite(keepableText).trim().min(1, 'Name the file').max(255, 'The file name is too long'),
    content: z
      .string()
      .min(1, 'The file is empty.')
      .max(maxImportLength, 'The file is too large: at most 500,000 characters. Split it.'),
  }),
  reply: rowReport,
});

export const getIncidentFactors = endpoint({
  method: 'GET',
  path: '/api/traffic-incidents/factors',
  summary: 'How many times as long a stretch takes inside an incident, by severity',
  needs: 'signed-in',
  reply: incidentFactors,
});

export const setIncidentFactors = endpoint({
  method: 'PUT',
  path: '/api/traffic-incidents/factors',
  summary: 'Set how much incidents slow traffic; active routes are timed anew',
  needs: 'settings:manage',
  body: incidentFactors,
  reply: incidentFactors,
});

export const restOffer = z
  .object({
    routeId: id,
    routeName: z.string(),
    routeDesignation: z.string().nullable(),
    gainMin: z.int().meta({ description: 'Whole minutes of driving that the new order saves' }),
    trafficMin: z.int().meta({
      description: 'How many of them incidents cost the order as it stands; the rest it costs on clear roads too',
    }),
    incidents: z.array(z.object({ id, title: z.string() })),
    order: z.array(id).meta({ description: 'Stop ids of the rest in the new order' }),
    given: z.array(id).meta({ description: 'Stop ids of the rest as they stand' }),
  })
  .meta({ id: 'RestOffer' });
export type RestOffer = z.output<typeof restOffer>;

export const listRestOffers = endpoint({
  method: 'GET',
  path: '/api/routes/rest-offers',
  summary:
    'Routes in scope that incidents changed and whose rest would be driven more than 2 minutes faster in another order',
  needs: 'stock:read',
  reply: z.array(restOffer),
});

export const orderRest = endpoint({
  method: 'PUT',
  path: '/api/routes/:id/rest-order',
  summary: 'Put the rest of a route in this order; done stops and the one being driven to stay',
  needs: 'route:drive',
  params: pathId,
  body: z.strictObject({ stopIds: z.array(id).min(1, 'Name the stops in their new order').max(500) }),
  reply: z.object({
    routeId: id,
    previous: z.array(id).meta({ description: 'Stop ids of the rest in the order before: send them to undo' }),
    savedMin: z.int(),
  }),
});
