import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, rows } from '../db/database.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { importContent, reportOf } from '../testing/imports.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());
beforeEach(() => database.db.execute(sql`delete from traffic_incidents`));

const header = 'Title,Lat,Lon,Severity,Type,Radius,Duration,Start,End\n';
const about = ['incidents', 'roads.csv'] as const;

const stored = () =>
  rows(
    database.db,
    sql`select title, latitude::text as latitude, severity, type, status, radius, source,
          estimated_duration as "estimatedDuration" from traffic_incidents order by id`,
  );

it('takes rows with the usual names of columns', async () => {
  const text = `${header}Flood,40.7,-74,High,Weather,1.5,120,2026-03-12T08:00:00Z,\n`;
  expect(await reportOf(database.db, about, text)).toMatchObject({ rows: 1, created: 1, refused: [] });
  expect(await stored()).toEqual([
    {
      title: 'Flood',
      latitude: '40.70000000',
      severity: 'high',
      type: 'weather',
      status: 'active',
      radius: 1.5,
      source: 'import',
      estimatedDuration: 120,
    },
  ]);
});

it('takes half a kilometre where no radius is said, and miles where they are', async () => {
  await reportOf(
    database.db,
    about,
    'title,lat,lng,severity,type,radius_mi\nA,40,-74,low,other,\nB,41,-74,low,other,1\n',
  );
  expect(await stored()).toMatchObject([{ radius: 0.5 }, { radius: 1.609344 }]);
});

it('a second time changes nothing, with a start or without one', async () => {
  const text = `${header}Flood,40.7,-74,high,weather,1,,2026-03-12T08:00:00Z,\nJam,40.8,-74,low,congestion,1,,,\n`;
  await reportOf(database.db, about, text);
  expect(await reportOf(database.db, about, text)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  const changed = await reportOf(database.db, about, text.replace('high', 'critical'));
  expect(changed).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
});

it('an incident with an end is resolved, also by a later file', async () => {
  const row = 'Flood,40.7,-74,high,weather,1,,2026-03-12T08:00:00Z,';
  await reportOf(database.db, about, `${header}${row}\n`);
  await reportOf(database.db, about, `${header}${row}2026-03-12T09:00:00Z\n`);
  expect(await stored()).toMatchObject([{ status: 'resolved' }]);
  await reportOf(database.db, about, `${header}${row}\n`);
  expect(await stored()).toMatchObject([{ status: 'resolved' }]);
});

it('an end that lies ahead is how long an incident lasts, also the second time and without a start', async () => {
  const text = `${header}Bridge works,40.7,-74,high,construction,1,,,2026-03-14T15:00:00Z\n`;
  expect(await reportOf(database.db, about, text)).toMatchObject({ created: 1 });
  expect(await stored()).toMatchObject([{ status: 'active', estimatedDuration: 2 * 24 * 60 }]);
  expect(await reportOf(database.db, about, text)).toMatchObject({ updated: 0, unchanged: 1 });
});

it('refuses rows with their line and a reason, and takes the others', async () => {
  const text = [
    header.trim(),
    'No place,,,low,other,1,,,',
    'Swapped,-740,40.7,low,other,1,,,',
    'Bad severity,40.7,-74,awful,other,1,,,',
    'No radius,40.7,-74,low,other,0,,,',
    'Not a number,40.7,-74,low,other,wide,,,',
    'Backwards,40.7,-74,low,other,1,,2026-03-12T09:00:00Z,2026-03-12T08:00:00Z',
    'No date,40.7,-74,low,other,1,,soon,',
    ',40.7,-74,low,other,1,,,',
    'Good,40.7,-74,low,other,1,,,',
    'Good,40.7,-74,low,other,1,,,',
  ].join('\n');
  const report = await reportOf(database.db, about, `${text}\n`);
  expect(report).toMatchObject({ rows: 10, created: 1 });
  expect(report.refused).toEqual([
    { line: 2, reason: 'has no point: neither latitude nor longitude' },
    { line: 3, reason: 'has the latitude -740, beyond 90 degrees: are the columns swapped?' },
    { line: 4, reason: 'Severity must be low, medium, high or critical' },
    { line: 5, reason: 'Radius must be more than 0 and at most 100 km' },
    { line: 6, reason: 'Radius must be more than 0 and at most 100 km' },
    { line: 7, reason: 'End must not lie before the start' },
    { line: 8, reason: 'has a start that is no date: soon' },
    { line: 9, reason: 'Title is required' },
    { line: 11, reason: 'repeats the incident of line 10' },
  ]);
});

it('a file without a column for the severity is refused whole', async () => {
  const result = await importContent(database.db, about, 'title,lat,lng,type\nA,40,-74,other\n');
  expect(result.err).toMatch(/no column for severity/);
  expect(await stored()).toEqual([]);
});
