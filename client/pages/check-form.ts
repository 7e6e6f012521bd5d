import type { z } from 'zod/mini';

export type FieldErrors = Record<string, string>;

type Checked<Data> = { ok: true; data: Data } | { ok: false; errors: FieldErrors };

/** What was typed against the schema the server uses too; the first error of each field. */
export function checkForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, data: parsed.data };
  const errors: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0] ?? '');
    errors[field] ??= message;
  }
  return { ok: false, errors };
}
