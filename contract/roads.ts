import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, pathId } from './shapes.ts';

const source = z.enum(['estimate', 'valhalla', 'osrm', 'mixed']).meta({
  description: 'Where distances and ways come from; mixed: partly estimated',
});

export const directions = z
  .object({
    source,
    warnings: z.array(z.string()),
    legs: z.array(
      z.object({
        seconds: z.int().nullable(),
        metres: z.int().nullable(),
        geometry: z.array(z.array(z.number())).meta({ description: 'Pairs of longitude and latitude' }),
      }),
    ),
  })
  .meta({ id: 'Directions' });
export type Directions = z.output<typeof directions>;

export const getRouteDirections = endpoint({
  method: 'GET',
  path: '/api/routes/:id/directions',
  summary: 'The way of a saved route from its depot through its stops and back, along roads where an engine is set',
  needs: 'stock:read',
  params: pathId,
  reply: directions,
});

const pointPattern = /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/;
const wanted = 'Give 2 to 200 points as lat,lng;lat,lng';

const isPlace = (text: string): boolean => {
  const [lat = 91, lng = 181] = text.split(',').map(Number);
  return pointPattern.test(text) && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
};

export const getDirections = endpoint({
  method: 'GET',
  path: '/api/directions',
  summary: 'The way through points in their order, along roads where an engine is set',
  needs: 'stock:read',
  query: z.object({
    points: z
      .string({ error: wanted })
      .max(9_000, wanted)
      .refine((text) => {
        const points = text.split(';');
        return points.length >= 2 && points.length <= 200 && points.every(isPlace);
      }, wanted),
    from: z.iso
      .datetime({ offset: true, error: 'Give the departure as an ISO instant' })
      .optional()
      .meta({ description: 'Departure, for closed roads; now when absent' }),
  }),
  reply: directions,
});

export const streetMap = z
  .object({
    tiles: z
      .string()
      .nullable()
      .meta({ description: 'Address of vector tiles with {z}, {x} and {y}; null: none were made' }),
    bounds: z.array(z.number()).nullable().meta({ description: 'West, south, east, north' }),
    source,
  })
  .meta({ id: 'StreetMap' });

export const getStreetMap = endpoint({
  method: 'GET',
  path: '/api/map',
  summary: 'Whether this server has street maps of its own, and where distances come from',
  needs: 'signed-in',
  reply: streetMap,
});

export const travelEstimateState = z
  .object({
    detourFactor: z.number(),
    speedsKmh: z.array(z.number()).meta({ description: 'First 3 km of a leg, up to 15 km, beyond' }),
    source: source.meta({
      description: 'Where driving comes from now; the estimate fills in where an engine does not answer',
    }),
    learned: z
      .object({
        legs: z.int(),
        measuredLegs: z.int(),
        errorBeforeMin: z.number().meta({ description: 'Mean error per leg of the usual figures, minutes' }),
        errorAfterMin: z.number().meta({ description: 'Mean error per leg of the learned figures, minutes' }),
        fittedAt: instant,
      })
      .nullable(),
  })
  .meta({ id: 'TravelEstimate' });

export const getTravelEstimate = endpoint({
  method: 'GET',
  path: '/api/travel-estimate',
  summary: 'What estimated driving is made of, and how exact it is, learned from completed routes every night',
  needs: 'office:read',
  reply: travelEstimateState,
});

export const learnTravelEstimate = endpoint({
  method: 'POST',
  path: '/api/travel-estimate/learn',
  summary: 'Learn estimated driving from completed routes now; the figures stay where they would get no better',
  needs: 'office:write',
  reply: travelEstimateState.extend({
    outcome: z
      .enum(['learned', 'no-better', 'too-few'])
      .meta({ description: 'no-better: the figures before are kept; too-few: not enough legs were driven yet' }),
  }),
});

export const resetTravelEstimate = endpoint({
  method: 'DELETE',
  path: '/api/travel-estimate',
  summary: 'Go back to the usual figures until the next night teaches better',
  needs: 'office:write',
  reply: travelEstimateState,
});
