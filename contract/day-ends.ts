import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { returnReasons } from '../domain/field-event.ts';
import { itemType, movementKind } from '../domain/inventory.ts';
import { endpoint } from './endpoint.ts';
import { day, id, instant } from './shapes.ts';

export const dayEnd = z
  .object({
    eventId: z.uuid().meta({ description: 'The event of the phone that said so last' }),
    personId: id,
    personName: z.string(),
    date: day,
    endedAt: instant,
    routeIds: z.array(id),
    returns: z.array(z.object({ productName: z.string(), reason: z.enum(returnReasons), units: z.int() })),
    bagNumbers: z.array(z.string()),
    unitsFilled: z.int(),
    unsent: z.int().meta({ description: 'Changes the phone had not sent when the day was finished' }),
  })
  .meta({ id: 'DayEnd' });
export type DayEnd = z.output<typeof dayEnd>;

export const listDayEnds = endpoint({
  method: 'GET',
  path: '/api/day-ends',
  summary: 'Who has finished a day and what came back; a field worker sees the own one',
  needs: 'stock:read',
  query: z.object({ date: calendarDay }),
  reply: z.array(dayEnd),
});

export const dayWork = z
  .object({
    date: day,
    movements: z.array(
      z.object({
        eventId: z.uuid(),
        visitId: z.uuid().nullable(),
        itemType,
        itemId: id,
        productName: z.string(),
        kind: movementKind.exclude(['sale']),
        quantity: z.int(),
        shown: z.int().nullable(),
        reason: z.string().nullable(),
      }),
    ),
    visits: z.array(z.object({ visitId: z.uuid(), bagNumber: z.string().nullable() })),
  })
  .meta({ id: 'DayWork' });
export type DayWork = z.output<typeof dayWork>;

export const getDayWork = endpoint({
  method: 'GET',
  path: '/api/day-work',
  summary:
    'What the person recorded on a day, from whatever phone: movements in order, and the cash bags of the visits',
  needs: 'stock:read',
  query: z.object({ date: calendarDay }),
  reply: dayWork,
});
