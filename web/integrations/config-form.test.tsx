// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { ConfigForm } from './config-form.tsx';
import { type Answer, buildConfig, heldAnswer, nayaxSystem, office, refusal, show } from './testing/office.tsx';

const user = userEvent.setup();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const system = nayaxSystem as unknown as IntegrationSystemInfo;
const field = (name: RegExp | string) => screen.findByLabelText(name);

function open(answer: Answer, config: IntegrationConfig | null = null, shown = system) {
  const server = office((call) => (call.path === '/api/demo/sandbox' ? { url: null, credentials: {} } : answer(call)));
  const onSaved = vi.fn();
  const onClose = vi.fn();
  show(<ConfigForm system={shown} config={config} onSaved={onSaved} onClose={onClose} />);
  return { ...server, onSaved, onClose };
}

/** The form of a configuration that is read again while it is open. */
function openLive(answer: Answer) {
  const server = office((call) => (call.method === 'GET' ? { url: null, credentials: {} } : answer(call)));
  const onClose = vi.fn();
  let change: (config: IntegrationConfig) => void = () => {};
  function Live() {
    const [config, setConfig] = useState(buildConfig());
    change = setConfig;
    return <ConfigForm system={system} config={config} onClose={onClose} />;
  }
  show(<Live />);
  return { ...server, onClose, change: (config: IntegrationConfig): void => act(() => change(config)) };
}

test('what is missing is said under its field, and nothing is sent', async () => {
  const { writes } = open(() => undefined);
  await user.click(await screen.findByRole('button', { name: 'Add Configuration' }));
  for (const sentence of ['Name is required', 'Merchant ID is required', 'Hash code is required'])
    expect(await screen.findByText(sentence)).toBeTruthy();
  expect(writes()).toEqual([]);
});

test('what is too long is said under its field, and nothing is sent', async () => {
  const { writes } = open(() => undefined);
  await user.click(await field(/^Name/));
  await user.paste('N'.repeat(256));
  await user.click(await field(/Merchant ID/));
  await user.paste('1'.repeat(501));
  await user.click(screen.getByRole('button', { name: 'Add Configuration' }));
  expect(await screen.findByText('Name is too long: at most 255 characters')).toBeTruthy();
  expect(await screen.findByText(/^Merchant ID is too long: at most \d+ characters$/)).toBeTruthy();
  expect(writes()).toEqual([]);
});

test('typing begins at the name', async () => {
  open(() => undefined);
  await vi.waitFor(async () => expect(document.activeElement).toBe(await field(/^Name/)));
});

test('a new configuration is saved with what was typed; the sandbox is where it begins', async () => {
  const made = buildConfig();
  const { writes, onSaved, onClose } = open(() => made);
  await user.type(await field(/^Name/), ' North ');
  await user.type(await field(/Merchant ID/), '2000');
  await user.type(await field(/Hash code/), 'a-secret');
  await user.click(await screen.findByRole('checkbox', { name: /Sync by itself/ }));
  await user.click(screen.getByRole('button', { name: 'Add Configuration' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(onSaved).toHaveBeenCalledWith(made);
  const settings = { merchantId: '2000', hashCode: 'a-secret', environment: 'sandbox', apiEndpoint: '' };
  expect(writes()[0]?.body).toEqual({ system: 'nayax', name: 'North', settings, isActive: true, syncEnabled: false });
});

test('a secret is said to be set and never shown; left empty it stays', async () => {
  const { writes, onClose } = open(() => buildConfig(), buildConfig());
  const secret = await field(/Hash code/);
  expect(secret.getAttribute('type')).toBe('password');
  expect(secret.getAttribute('placeholder')).toBe('Set, ends in ab');
  await user.type(await field(/API endpoint/), 'https://lynx.example');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  const body = writes()[0]?.body as { settings: object; version: number };
  expect(body.version).toBe(3);
  expect(body.settings).toEqual({ merchantId: '2000', environment: 'sandbox', apiEndpoint: 'https://lynx.example' });
});

test('a refusal stands once, under the field it is about, and what was typed stays', async () => {
  const { onClose } = open(
    () => refusal(400, 'It leads to a private network.', { 'settings.apiEndpoint': 'It leads to a private network.' }),
    buildConfig(),
  );
  await user.type(await field(/API endpoint/), 'https://10.0.0.1');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  expect(await screen.findAllByText('It leads to a private network.')).toHaveLength(1);
  expect((await field(/API endpoint/)).getAttribute('aria-invalid')).toBe('true');
  expect(((await field(/API endpoint/)) as HTMLInputElement).value).toBe('https://10.0.0.1');
  expect(onClose).not.toHaveBeenCalled();
});

test('a refusal of a switch stands below it', async () => {
  const audit = { name: 'audit', label: 'Audit files', kind: 'switch', help: 'Needs a reader' } as const;
  open(() => refusal(400, 'This reader sends none.', { 'settings.audit': 'This reader sends none.' }), buildConfig(), {
    ...system,
    fields: [...system.fields, audit],
  } as IntegrationSystemInfo);
  const box = await screen.findByRole('checkbox', { name: 'Audit files', description: 'Needs a reader' });
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  expect(
    await screen.findByRole('checkbox', { name: 'Audit files', description: 'This reader sends none.' }),
  ).toHaveProperty('checked', true);
  await waitFor(() => expect(document.activeElement).toBe(box));
});

test('what was refused has the focus also where no frame is drawn meanwhile, as in a tab that is left', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  open(
    () => refusal(400, 'It leads to a private network.', { 'settings.apiEndpoint': 'It leads to a private network.' }),
    buildConfig(),
  );
  await user.type(await field(/API endpoint/), 'https://10.0.0.1');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await screen.findByText('It leads to a private network.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/API endpoint/)));
});

test('a refusal of something that the form does not show stands below it', async () => {
  open(() => refusal(400, 'The version is missing.', { version: 'Required' }), buildConfig());
  await field(/API endpoint/);
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The version is missing.');
});

test('in a demo the form opens as anywhere, and one press fills in what the stand-in accepts', async () => {
  const credentials = { nayax: { merchantId: '77', hashCode: 'h', environment: 'sandbox' } };
  office(({ path }) => (path === '/api/demo/sandbox' ? { url: 'x', credentials } : {}));
  const fields = system.fields.map((one) => (one.name === 'environment' ? { ...one, initial: 'production' } : one));
  show(<ConfigForm system={{ ...system, fields }} config={null} onClose={() => {}} />);
  const fill = await screen.findByRole('button', { name: 'Fill in what it accepts' });
  const value = async (name: RegExp) => ((await field(name)) as HTMLInputElement).value;
  expect([await value(/Merchant ID/), await value(/^Environment/)]).toEqual(['', 'production']);
  await user.click(fill);
  expect([await value(/Merchant ID/), await value(/^Environment/)]).toEqual(['77', 'sandbox']);
  expect(await value(/^Name/)).not.toBe('');
});

test('what is edited is not filled over', async () => {
  const credentials = { nayax: { merchantId: '77' } };
  const { sent } = office(({ path }) => (path === '/api/demo/sandbox' ? { url: 'x', credentials } : {}));
  show(<ConfigForm system={system} config={buildConfig()} onClose={() => {}} />);
  await vi.waitFor(() => expect(sent.some(({ path }) => path === '/api/demo/sandbox')).toBe(true));
  expect(((await field(/Merchant ID/)) as HTMLInputElement).value).toBe('2000');
  expect(screen.queryByRole('button', { name: 'Fill in what it accepts' })).toBeNull();
});

const typedInto = async (name: RegExp) => ((await field(name)) as HTMLInputElement).value;

test('what was typed and not saved is there when the form opens again, but for its secrets; Cancel gives it up', async () => {
  open(() => undefined);
  await user.type(await field(/^Name/), 'North');
  await user.type(await field(/Merchant ID/), '2000');
  await user.type(await field(/Hash code/), 'a-secret');
  cleanup();
  open(() => undefined);
  expect(await screen.findByText(/What you typed before is still here, not saved/)).toBeTruthy();
  expect([await typedInto(/^Name/), await typedInto(/Merchant ID/), await typedInto(/Hash code/)]).toEqual([
    'North',
    '2000',
    '',
  ]);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('a-secret');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  cleanup();
  open(() => undefined);
  expect(await typedInto(/^Name/)).toBe('');
  expect(screen.queryByText(/What you typed before/)).toBeNull();
});

test('a saved configuration leaves no draft, also where it is read again before the form closes', async () => {
  const held = heldAnswer();
  const { change, onClose, writes } = openLive(() => held.answer);
  await user.type(await field(/^Name/), ' yard ');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  const saved = buildConfig({ name: 'North yard', version: 4 });
  change(saved);
  held.give(Response.json(saved));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  cleanup();
  open(() => undefined, saved);
  expect(await typedInto(/^Name/)).toBe('North yard');
  expect(screen.queryByText(/What you typed before/)).toBeNull();
});

const staleSentence = 'It was changed by someone else. Look at it again, then save.';

test('what somebody else changed while the form was open is not put back: it is shown, with what was typed over it, and saved then', async () => {
  let isStale = true;
  const { change, onClose, writes } = openLive(() =>
    isStale ? refusal(409, staleSentence, { version: staleSentence }) : buildConfig({ version: 5 }),
  );
  await user.type(await field(/^Name/), ' yard');
  await user.type(await field(/Hash code/), 'a-secret');
  const theirs = { name: 'South', settings: { merchantId: '3000', environment: 'production' }, version: 4 };
  change(buildConfig(theirs));
  expect(await typedInto(/Merchant ID/)).toBe('2000');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Look at it again, then save\.$/);
  expect(writes()[0]?.body).toMatchObject({ settings: { merchantId: '2000' }, version: 3 });
  const shown = await Promise.all([/^Name/, /Merchant ID/, /Hash code/, /^Environment/].map(typedInto));
  expect(shown).toEqual(['North yard', '3000', 'a-secret', 'production']);
  expect(screen.getByText('Somebody else set it to “South” meanwhile.')).toBeTruthy();
  isStale = false;
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  const settings = { merchantId: '3000', hashCode: 'a-secret', environment: 'production' };
  expect(writes()[1]?.body).toMatchObject({ name: 'North yard', settings, version: 4 });
});

test('a form that hears of the newer state only after the refusal takes it in as well, and Cancel gives up what was typed', async () => {
  const { change, writes } = openLive(() => refusal(409, staleSentence, { version: staleSentence }));
  await user.type(await field(/^Name/), ' yard');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await screen.findByRole('alert');
  change(buildConfig({ settings: { merchantId: '3000', environment: 'sandbox' }, version: 4 }));
  expect(await typedInto(/Merchant ID/)).toBe('3000');
  expect(screen.queryByText(/Somebody else set it/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(writes()[1]?.body).toMatchObject({ name: 'North yard', version: 4 }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sessionStorage).toHaveLength(0);
});

test('what was typed over an older state is offered again over the newer one, and only what was typed', async () => {
  open(() => undefined, buildConfig());
  await user.type(await field(/^Name/), ' yard');
  cleanup();
  open(() => undefined, buildConfig({ settings: { merchantId: '3000', environment: 'sandbox' }, version: 4 }));
  expect(await screen.findByText(/What you typed before is still here, not saved/)).toBeTruthy();
  expect([await typedInto(/^Name/), await typedInto(/Merchant ID/)]).toEqual(['North yard', '3000']);
});

test('a form that was closed before the answer came closes nothing else', async () => {
  const held = heldAnswer();
  const { writes, onSaved, onClose } = open(
    ({ method }) => (method === 'GET' ? undefined : held.answer),
    buildConfig(),
  );
  await user.type(await field(/^Name/), ' yard');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  cleanup();
  held.give(Response.json(buildConfig()));
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(onClose).not.toHaveBeenCalled();
});

test('a form that was closed before the refusal came has it told', async () => {
  const held = heldAnswer();
  const { writes } = open(({ method }) => (method === 'GET' ? undefined : held.answer), buildConfig());
  await user.type(await field(/^Name/), ' yard');
  await user.click(screen.getByRole('button', { name: 'Save Configuration' }));
  await vi.waitFor(() => expect(writes()).toHaveLength(1));
  cleanup();
  held.give(refusal(409, 'Somebody changed it meanwhile.'));
  const said = { title: 'Configuration Not Saved', description: 'Somebody changed it meanwhile.' };
  await vi.waitFor(() => expect(toastStore.get()[0]).toMatchObject(said));
});
