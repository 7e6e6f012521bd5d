import type { Endpoint } from '../../shared/api/endpoint.ts';

/** Path parameters and query values; what is undefined is left out. */
export interface AddressParts {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
}

/** The path and query of one call, e.g. `/api/capsules/created?page=2`. */
export function addressOf(
  endpoint: Pick<Endpoint, 'path'>,
  { params = {}, query = {} }: AddressParts,
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
