import { z } from 'zod/mini';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { dayField } from '../../shared/api/fields.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { type ErrorCode, errorBodySchema } from '../../shared/error-body.ts';
import { ERRORS } from '../../shared/errors.ts';
import { XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import { site } from '../../shared/site.ts';

type Schema = Record<string, unknown>;

/** The OpenAPI 3.1 description of every call, made from the contracts the server validates with. */
export function openApiDocument(appUrl: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, endpoint] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${site.name} API`,
      version: '1',
      description: `Calls are made with the session cookie. Every unsafe call sends the value of the cookie ${XSRF_COOKIE} in the header ${XSRF_HEADER}. What a locked capsule holds is never sent, to anyone.`,
    },
    servers: [{ url: appUrl }],
    paths,
    components: {
      schemas: { Error: toSchema(errorBodySchema, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
    },
  };
}

function operation(name: string, endpoint: Endpoint): Schema {
  const body = requestBody(endpoint);
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1]],
    ...(endpoint.access === 'signed-in' && { security: [{ session: [] }] }),
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...Object.entries(endpoint.headers ?? {}).map(([header, description]) => ({
        name: header,
        in: 'header',
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(body && {
      requestBody: { required: !endpoint.body?.safeParse(undefined).success, content: body },
    }),
    responses: responses(endpoint),
  };
}

function parameters(schema: z.ZodMiniType | undefined, where: 'path' | 'query'): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody({ body, multipart, bytes }: Endpoint): Schema | undefined {
  if (bytes) return { [bytes]: { schema: { type: 'string', format: 'binary' } } };
  if (!multipart) return body && { 'application/json': { schema: toSchema(body, 'input') } };
  const files = { type: 'array', items: { type: 'string', format: 'binary' } };
  const json = multipart.json && body ? { [multipart.json]: toSchema(body, 'input') } : {};
  const properties = { ...json, [multipart.files]: files };
  return { 'multipart/form-data': { schema: { type: 'object', properties } } };
}

function responses({ status, response, errors = [], access, method }: Endpoint): Schema {
  const content = response
    ? { 'application/json': { schema: toSchema(response, 'output') } }
    : { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  const common: ErrorCode[] = [
    'VALIDATION_FAILED',
    'RATE_LIMITED',
    'BUSY',
    ...(access === 'signed-in' ? (['UNAUTHENTICATED'] as const) : []),
    ...(method === 'GET' ? [] : (['XSRF_INVALID', 'CROSS_SITE'] as const)),
  ];
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of new Set<ErrorCode>([...common, ...errors])) {
    const key = String(ERRORS[code][0]);
    byStatus[key] = [...(byStatus[key] ?? []), code];
  }
  const failures = Object.entries(byStatus).map(([key, codes]) => [
    key,
    {
      description: codes.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  const success =
    status === 302 ? { description: 'Redirect' } : { description: 'Success', content };
  return { [String(status)]: success, ...Object.fromEntries(failures) };
}

/** Here and not at the field itself, where the app would load it too. */
z.globalRegistry.add(dayField, { format: 'date' });

function toSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
