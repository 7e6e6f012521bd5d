import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Actor } from '../deps.ts';

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Finds out who asks, when somebody needs to know. Null for a visitor. */
    findActor: () => Promise<Actor | null>;
    /** The secret cookie the XSRF token of this answer is bound to: a session's or a visitor's. */
    binding: string;
  };
}

export type AppContext = Context<AppEnv>;
export type App = Hono<AppEnv>;
