import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { SessionGate } from './auth/session-gate.tsx';
import { screens } from './screens.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFound } from './shell/not-found.tsx';
import { ScreenFrame } from './shell/screen-frame.tsx';

const Login = lazy(async () => ({ default: (await import('./auth/login-screen.tsx')).LoginScreen }));

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: () => (
    <SessionGate>
      <Layout>
        <Outlet />
      </Layout>
    </SessionGate>
  ),
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: () => (
    <Suspense>
      <Login />
    </Suspense>
  ),
});

const screenRoutes = screens.map((screen) =>
  createRoute({ getParentRoute: () => inside, path: screen.path, component: () => <ScreenFrame screen={screen} /> }),
);

export const createAppRouter = () =>
  createRouter({ routeTree: root.addChildren([login, inside.addChildren(screenRoutes)]) });
