import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call of the API, described once: the server validates with it, the client
 * calls through it, and the OpenAPI document is made from it.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** With `:name` where a path parameter stands. */
  path: string;
  /** One sentence for the reader of the API page. */
  summary: string;
  /** Who may call it. */
  access: 'anyone' | 'signed-in';
  params?: Params;
  query?: Query;
  /** The JSON body, or for `multipart` what its JSON part holds. */
  body?: Body;
  /** Set when the body is multipart: the name of the JSON part (if any) and of the file parts. */
  multipart?: { json?: string; files: string };
  /** Status of a success. */
  status: 200 | 201;
  /** Absent when the answer is a file's bytes. */
  response?: Response;
  /** The failures this call has of its own; every call can also fail in the common ways. */
  errors?: readonly ErrorCode[];
}

/** Keeps the exact types of an endpoint while checking its shape. */
export function endpoint<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodUndefined,
>(definition: Endpoint<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  return definition;
}

export type ParamsOf<E> =
  E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never;
export type QueryOf<E> =
  E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never;
export type BodyOf<E> =
  E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never;
export type ResponseOf<E> =
  E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;
/** What the caller writes, before defaults are filled in. */
export type QueryInputOf<E> =
  E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never;
export type BodyInputOf<E> =
  E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never;
