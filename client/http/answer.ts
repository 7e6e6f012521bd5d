import type { Endpoint, ResponseOf } from '../../shared/api/endpoint.ts';
import { unexpectedAnswer } from './call-error.ts';

/** The answer's body, checked against what the endpoint promises. */
export function readAnswer<E extends Endpoint>(
  endpoint: E,
  status: number,
  json: unknown,
): ResponseOf<E> {
  const parsed = endpoint.response?.safeParse(json);
  if (!parsed?.success) throw unexpectedAnswer(status);
  // The schema is the endpoint's own, so its output is what ResponseOf names.
  return parsed.data as ResponseOf<E>;
}

/** Undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
