import { SIGN_IN_BETWEEN_PATH } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';
import type { App } from '../http/context.ts';
import { readSecretCookie } from '../http/cookies.ts';
import type { StaticFiles } from '../http/static.ts';

/** The addresses of the app's own screens; every other one is its not-found page. */
const SCREENS = [
  /^\/$/,
  /^\/auth(\/(forgot-password|reset-password|verify-email|refuse-invitation))?\/?$/,
  /^\/auth\/(confirm-email|undo-email|new-password|recovery-code|undo-passkey|undo-identity|welcome|still-yours|restore-capsule)\/?$/,
  /^\/(dashboard|create|add|profile|outbox|help|privacy|terms)\/?$/,
  /^\/dashboard\/bin\/?$/,
  /^\/profile\/[^/]+\/?$/,
  /^\/notices\/off\/?$/,
];

/** Where only calls live: an unknown address there is a failed call, never a page. */
const CALLS_ONLY = /^\/(api|user|community|uploads)(\/|$)/;

/** Where password managers ask for the place to change a password. */
const CHANGE_PASSWORD = '/.well-known/change-password';

/** What no other route answered: a file of the client, or a page. */
export function pageRoutes(app: App, config: Config, files: StaticFiles): void {
  app.all('*', (c) => {
    const { path, method } = c.req;
    const reading = method === 'GET' || method === 'HEAD';
    const screen = reading && SCREENS.some((pattern) => pattern.test(path));
    // Whether the session still counts is no question for a page: nothing of a person is in it.
    if (screen) return files.screen(c, readSecretCookie(c, { config }, 'session') !== undefined);
    if (reading && path === CHANGE_PASSWORD) return c.redirect('/auth/forgot-password');
    if (reading && path === SIGN_IN_BETWEEN_PATH) return c.redirect('/dashboard');
    if (!reading || CALLS_ONLY.test(path)) throw new AppError('NOT_FOUND');
    const file = files.serve(c, path);
    if (file) return file;
    // A missing chunk must fail as a chunk, not come back as a page.
    if (path.startsWith('/static/')) throw new AppError('NOT_FOUND');
    return files.page(c, 404);
  });
}
