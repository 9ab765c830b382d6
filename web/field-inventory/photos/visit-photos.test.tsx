// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import { bootPhone, unreachable } from '../../offline/testing/booted-phone.ts';
import { VisitPhotos } from './visit-photos.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
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
