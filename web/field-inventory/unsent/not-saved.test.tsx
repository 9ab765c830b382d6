// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import { bootPhone, unreachable } from '../../offline/testing/booted-phone.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { NotSaved } from './not-saved.tsx';

afterEach(cleanup);

test('a phone whose store cannot be read says that nothing was exported', async () => {
  const { offline } = bootPhone(() => unreachable);
  const broken = { ...offline.store, read: () => Promise.reject(new Error('broken')) };
  render(
    <OfflineProvider offline={{ ...offline, store: broken }}>
      <NotSaved refusedWrites={0} drafts={new Map()} onRetry={() => {}} />
    </OfflineProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Export to a file' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Not exported'));
});
