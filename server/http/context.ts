import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { ActorInSession } from '../auth/sessions.ts';
import type { ClientLimits } from '../client-limits.ts';
import type { BodyRoom } from './body-room.ts';

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Looks the signed-in person up, only when called. Null for a visitor. */
    findActor: () => Promise<ActorInSession | null>;
    /** The secret cookie the XSRF token of this answer is bound to: a session's or a visitor's. */
    binding: string;
    /** The client's address, which limits are counted by. */
    client: string;
    /** The address of the account that a visitor's call is about, as they typed it. */
    account?: string;
    limits: ClientLimits;
    /** Where bodies are that are kept in memory. */
    bodies: BodyRoom;
  };
}

export type AppContext = Context<AppEnv>;
export type App = Hono<AppEnv>;
