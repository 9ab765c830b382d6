import { z } from 'zod';
import { integrationSystem, vendorResource } from '../domain/integration.ts';
import { endpoint } from './endpoint.ts';
import { id, instant, pathId, requiredText, secretState } from './shapes.ts';

export const waitsUntil = instant.nullable().meta({ description: 'The partner asked not to be called before then' });

export const nextSync = z
  .object({
    when: z.enum(['by-hand', 'put-right', 'now', 'at']).meta({
      description:
        'by-hand: not by itself; put-right: a person has to act first; now: it is due; at: at the time that stands',
    }),
    at: instant.nullable(),
  })
  .meta({ id: 'NextSync', description: 'When it is read next by itself, pauses after failures counted in' });
export type NextSync = z.output<typeof nextSync>;

export const integrationState = z
  .object({
    system: integrationSystem,
    configurations: z.int(),
    connected: z
      .boolean()
      .meta({ description: 'One of its configurations is in use, even if it fails for the moment' }),
    state: z.enum(['connected', 'not-connected', 'failing', 'waiting', 'maintenance']).meta({
      description: 'maintenance: all of its configurations in use were put into it by a person',
    }),
    /** What is wrong and what to do; null while nothing is. */
    problem: z.string().nullable(),
    waitsUntil,
    lastSyncAt: instant.nullable(),
  })
  .meta({ id: 'IntegrationState' });
export type IntegrationState = z.output<typeof integrationState>;

export const listIntegrations = endpoint({
  method: 'GET',
  path: '/api/integrations',
  summary: 'The connected systems and the state of each; a system without a configuration is not connected',
  needs: 'stock:read',
  reply: z.array(integrationState),
});

const settingsField = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(['text', 'secret', 'url', 'choice', 'switch', 'zone']),
    required: z.string().optional().meta({ description: 'The sentence for an empty field; absent: may stay empty' }),
    maxLength: z.int().optional(),
    options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
    initial: z.union([z.string(), z.boolean()]).optional(),
    help: z.string().optional(),
  })
  .meta({ id: 'SettingsField' });

export const integrationSystemInfo = z
  .object({
    system: integrationSystem,
    label: z.string(),
    basis: z.string().meta({ description: 'What is published of its protocol and what is our reading' }),
    fields: z.array(settingsField),
    resources: z.array(vendorResource),
    backfills: z.boolean(),
    hasWebhooks: z.boolean(),
    joinsBySignIn: z.boolean().meta({ description: 'Connected on the partner’s own sign-in page' }),
  })
  .meta({ id: 'IntegrationSystem' });
export type IntegrationSystemInfo = z.output<typeof integrationSystemInfo>;

export const listSystems = endpoint({
  method: 'GET',
  path: '/api/integrations/systems',
  summary: 'What can be connected, and the settings of each',
  needs: 'office:read',
  reply: z.array(integrationSystemInfo),
});

const settings = z.record(z.string().max(50), z.union([z.string().max(4000), z.boolean(), z.null()]));

export const integrationConfig = z
  .object({
    id,
    system: integrationSystem,
    name: z.string(),
    settings: settings.meta({ description: 'By field name, without secrets' }),
    secrets: z
      .record(z.string(), secretState)
      .meta({ description: 'Which secrets are set, with at most their last two characters' }),
    previousSecretsUntil: instant
      .nullable()
      .meta({ description: 'Until then messages signed with the secrets of before are accepted' }),
    isActive: z.boolean(),
    connected: z.boolean().meta({ description: 'In use: signed in where the system asks for that, and not refused' }),
    syncEnabled: z.boolean(),
    status: z.enum(['active', 'inactive', 'error', 'maintenance']),
    problem: z.string().nullable(),
    waitsUntil,
    webhookPath: z
      .string()
      .nullable()
      .meta({ description: 'Where the partner sends messages; null where it sends none' }),
    rejectedDeliveries: z.int(),
    lastRejectedReason: z.string().nullable(),
    lastRejectedAt: instant.nullable(),
    lastSyncAt: instant.nullable(),
    fresh: z
      .array(z.object({ resource: vendorResource, lastGoodAt: instant.nullable(), nextDueAt: instant.nullable() }))
      .meta({ description: 'How fresh each resource is; due at once where no next time stands' }),
    nextSync,
    createdAt: instant,
    updatedAt: instant,
    version: z.int(),
  })
  .meta({ id: 'IntegrationConfig' });
export type IntegrationConfig = z.output<typeof integrationConfig>;

export const listConfigs = endpoint({
  method: 'GET',
  path: '/api/integrations/configs',
  summary: 'Configurations of all systems, or of one',
  needs: 'office:read',
  query: z.object({ system: integrationSystem.optional() }),
  reply: z.array(integrationConfig),
});

export const getConfig = endpoint({
  method: 'GET',
  path: '/api/integrations/configs/:id',
  summary: 'A configuration; secrets are only said to be set',
  needs: 'office:read',
  params: pathId,
  reply: integrationConfig,
});

const name = requiredText('Name', 255);

export const createConfig = endpoint({
  method: 'POST',
  path: '/api/integrations/configs',
  summary: 'Connect a system; the settings are those that the list of systems names',
  needs: 'office:write',
  once: true,
  body: z.strictObject({
    system: integrationSystem,
    name,
    settings,
    isActive: z.boolean().default(true),
    syncEnabled: z.boolean().default(true).meta({ description: 'Synced by itself, on a timetable' }),
  }),
  reply: integrationConfig,
  status: 201,
});

export const configUpdate = z.strictObject({
  name: name.optional(),
  settings: settings
    .optional()
    .meta({ description: 'Only what changes; an absent secret stays, null empties a field' }),
  isActive: z.boolean().optional(),
  syncEnabled: z.boolean().optional(),
  acceptPreviousHours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .meta({ description: 'How long messages signed with a replaced secret are still accepted' }),
  version: z.int().optional(),
});
export type ConfigUpdate = z.input<typeof configUpdate>;

export const updateConfig = endpoint({
  method: 'PUT',
  path: '/api/integrations/configs/:id',
  summary: 'Change a configuration',
  needs: 'office:write',
  params: pathId,
  body: configUpdate,
  reply: integrationConfig,
});

export const removeConfig = endpoint({
  method: 'DELETE',
  path: '/api/integrations/configs/:id',
  summary: 'Disconnect: secrets are erased, sales and links stay',
  needs: 'office:delete',
  params: pathId,
  reply: z.object({ id }),
});
