// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import { maxPhotoBytes } from '../../offline/photos/photos.ts';
import { bootPhone, unreachable } from '../../offline/testing/booted-phone.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { VisitPhotos } from './visit-photos.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('at a machine or a market one button takes a photo with the camera and another picks one the phone has', () => {
  const phone = bootPhone(() => unreachable);
  const opened: string[] = [];
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
    opened.push(`${this.accept} ${this.getAttribute('capture') ?? 'any'}`);
  });
  render(
    <OfflineProvider offline={phone.offline}>
      <VisitPhotos userId={1} location={{ type: 'vending_machine', id: 1 }} camera={createRef()} />
    </OfflineProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Take a photo' }));
  fireEvent.click(screen.getByRole('button', { name: 'Pick a picture' }));
  expect(opened).toEqual(['image/* environment', 'image/* any']);
});

test('a phone full of unsent photos says so, and what to do', async () => {
  const phone = bootPhone(() => unreachable);
  const waiting = { id: 'w', userId: 1, blob: { size: maxPhotoBytes } as Blob, takenAt: '', uploadedAt: null };
  await phone.offline.store.write(['photos'], (tx) => tx.objectStore('photos').put(waiting));
  vi.stubGlobal('createImageBitmap', async () => ({ width: 1, height: 1, close: () => {} }));
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['picture'])));
  render(
    <OfflineProvider offline={phone.offline}>
      <VisitPhotos userId={1} location={{ type: 'vending_machine', id: 1 }} camera={createRef()} />
    </OfflineProvider>,
  );
  const file = new File([new Uint8Array([0xff, 0xd8, 0xff])], 'machine.jpg', { type: 'image/jpeg' });
  await userEvent.upload(screen.getByLabelText('Camera'), file);
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Photo not kept'));
  expect(toastStore.get()[0]?.description).toContain('as many unsent photos as it can. Find a network first');
});
