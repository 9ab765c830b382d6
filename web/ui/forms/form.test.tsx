import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../http/client.ts';
import { useForm } from './form.ts';
import { RecordDialog } from './record-dialog.tsx';
import { TextField } from './text-field.tsx';

const schema = z.object({ price: z.string().min(1, 'Price is required'), quantity: z.string() });

type Props = { price?: string; quantity?: string; isLive?: boolean; refusal?: ApiError };

function Edit({ price = '1.00', quantity = '5', isLive = false, refusal }: Props) {
  const form = useForm({
    schema,
    initial: { price, quantity },
    draftKey: 'slot',
    isLive,
    onSubmit: () => (refusal ? Promise.reject(refusal) : Promise.resolve()),
  });
  return (
    <RecordDialog noun="Slot" name="A1" form={form} onClose={cleanup}>
      <TextField label="Price" {...form.field('price')} />
      <TextField label="Quantity" {...form.field('quantity')} />
    </RecordDialog>
  );
}

const user = userEvent.setup();
const price = () => screen.getByLabelText('Price');
const keptNote = () => screen.queryByText(/What you typed before is still here/);
const type = async (text: string) => {
  await user.clear(price());
  await user.type(price(), text);
};

beforeEach(() => {
  sessionStorage.clear();
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(cleanup);

it('says at its field what is wrong with one of several values in it, and says it once', async () => {
  const sentence = 'The check digit of barcode 123 is wrong';
  const refusal = new ApiError(400, '', { code: 'invalid-input', detail: sentence, fields: { 'price.1': sentence } });
  render(<Edit refusal={refusal} />);
  await user.click(screen.getByRole('button', { name: /Save|Update/ }));
  await waitFor(() => expect(price().getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText(sentence)).toHaveLength(1);
});

it('what was typed outlives a form that was closed by a slip, is said to be unsaved, and can be given up', async () => {
  render(<Edit />);
  expect(keptNote()).toBeNull();
  await type('2.50');
  cleanup();
  render(<Edit />);
  expect(price()).toHaveProperty('value', '2.50');
  expect(keptNote()).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(price()).toHaveProperty('value', '1.00');
  expect(keptNote()).toBeNull();
  cleanup();
  render(<Edit />);
  expect(price()).toHaveProperty('value', '1.00');
});

it('a field that was not typed in is the newest when the form opens again', async () => {
  render(<Edit />);
  await type('2.50');
  cleanup();
  render(<Edit price="1.10" quantity="3" />);
  expect(price()).toHaveProperty('value', '2.50');
  expect(screen.getByLabelText('Quantity')).toHaveProperty('value', '3');
  cleanup();
  sessionStorage.clear();
  render(<Edit />);
  cleanup();
  render(<Edit quantity="3" />);
  expect(screen.getByLabelText('Quantity')).toHaveProperty('value', '3');
  expect(keptNote()).toBeNull();
});

it('Cancel gives up what was typed', async () => {
  render(<Edit />);
  await type('2.50');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  render(<Edit />);
  expect(price()).toHaveProperty('value', '1.00');
});

it('in a live form what changes elsewhere shows where nothing was typed, and takes nothing that was', async () => {
  const { rerender } = render(<Edit isLive />);
  await type('2.50');
  rerender(<Edit isLive price="1.10" quantity="3" />);
  expect(price()).toHaveProperty('value', '2.50');
  expect(screen.getByLabelText('Quantity')).toHaveProperty('value', '3');
  expect(keptNote()).toBeNull();
});

it('says nothing under a field that a press has left until the press is over, so that what is pressed stays in its place', async () => {
  render(<Edit price="" />);
  const button = screen.getByRole('button', { name: 'Cancel' });
  price().focus();
  fireEvent.pointerDown(button);
  fireEvent.blur(price());
  expect(screen.queryByText('Price is required')).toBeNull();
  fireEvent.pointerUp(button);
  expect(await screen.findByText('Price is required')).toBeTruthy();
});

it('says what is wrong with a field as soon as it is left by the keyboard', async () => {
  render(<Edit price="" />);
  price().focus();
  await user.tab();
  expect(screen.getByText('Price is required')).toBeTruthy();
});

it('says under the form why it was refused, but not that one is signed out: that is asked for on top of it', async () => {
  const refusal = (status: number, code: string, detail: string) => new ApiError(status, '', { code, detail });
  const { rerender } = render(<Edit refusal={refusal(409, 'conflict', 'Another slot has this number.')} />);
  const save = () => user.click(screen.getByRole('button', { name: /^(Save|Update|Add)/ }));
  await save();
  expect(await screen.findByText('Another slot has this number.')).toBeTruthy();
  rerender(<Edit refusal={refusal(401, 'not-signed-in', 'You are not signed in.')} />);
  await save();
  await waitFor(() => expect(screen.queryByText('Another slot has this number.')).toBeNull());
  expect(screen.queryByText('You are not signed in.')).toBeNull();
});
