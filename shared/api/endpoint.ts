import type { z } from 'zod/mini';
import type { ErrorCode } from '../error-body.ts';

/** A 401 of this call means a wrong password, and not that the session has ended. */
export const LOGIN_PATH = '/auth/login';
export const LOGOUT_PATH = '/auth/logout';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One call of the API, described once: the server validates with it, the client
 * calls through it, and the OpenAPI document is made from it.
 */
export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Response extends z.ZodMiniType = z.ZodMiniType,
  Access extends 'anyone' | 'signed-in' = 'anyone' | 'signed-in',
> {
  method: Method;
  /** Path parameters are written `:name`. */
  path: string;
  /** One sentence for the reader of the API page. */
  summary: string;
  /** Who may call it. */
  access: Access;
  params?: Params;
  query?: Query;
  /** Schema of the JSON body, or of the JSON part of a multipart body. */
  body?: Body;
  /** Set when the body is multipart: the name of the JSON part (if any) and of the file parts. */
  multipart?: { json?: string; files: string };
  /** The most bytes of a JSON body, where that is more than forms take. */
  jsonMaxBytes?: number;
  /** Set when the body is bytes: the MIME type they are sent with. */
  bytes?: string;
  /** Request headers of this call, each with its description. */
  headers?: Record<string, string>;
  /** Status of a success; 302 for what a browser is sent through. */
  status: 200 | 201 | 202 | 302;
  /** Absent when the answer is a file's bytes. */
  response?: Response;
  /** Error codes of this call, besides those every call can answer with. */
  errors?: readonly ErrorCode[];
}

/** Checks the shape of an endpoint and keeps its exact types. */
export function endpoint<
  Access extends 'anyone' | 'signed-in',
  Params extends z.ZodMiniType = z.ZodMiniUndefined,
  Query extends z.ZodMiniType = z.ZodMiniUndefined,
  Body extends z.ZodMiniType = z.ZodMiniUndefined,
  Response extends z.ZodMiniType = z.ZodMiniUndefined,
>(
  definition: Endpoint<Params, Query, Body, Response, Access>,
): Endpoint<Params, Query, Body, Response, Access> {
  return definition;
}

/** The validated values the server's handler gets. */
export type ParamsOf<E> = E extends { params?: infer P extends z.ZodMiniType }
  ? z.output<P>
  : undefined;
export type QueryOf<E> = E extends { query?: infer Q extends z.ZodMiniType }
  ? z.output<Q>
  : undefined;
export type BodyOf<E> = E extends { body?: infer B extends z.ZodMiniType }
  ? z.output<B>
  : undefined;
export type ResponseOf<E> = E extends { response?: infer R extends z.ZodMiniType }
  ? z.output<R>
  : undefined;
/** The values a caller passes, before defaults are filled in. */
export type QueryInputOf<E> = E extends { query?: infer Q extends z.ZodMiniType }
  ? z.input<Q>
  : undefined;
export type BodyInputOf<E> = E extends { body?: infer B extends z.ZodMiniType }
  ? z.input<B>
  : undefined;
