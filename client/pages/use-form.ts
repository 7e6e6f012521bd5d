import { type FormEvent, useRef, useState } from 'react';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { CallError } from '../api/errors.ts';
import { HALF_TYPED } from '../components/field.tsx';
import type { Checked, FieldErrors } from './check-form.ts';
import { showErrors } from './focus.ts';

/** Asks for a passkey, or the identity provider's word, in place of the password. @throws {CallError} */
export type Prove = () => Promise<OwnPassword>;

/** Passes for a password while the rest of a form is checked, before anybody is asked for a passkey. */
const PROVED_LATER = 'a passkey';

/** What is typed, by field, as `useState` keeps it. */
type FormState<Values> = [Values, (next: (before: Values) => Values) => void];

interface FormOptions<Values, Data> {
  check: (typed: Values) => Checked<Data>;
  /** @throws {CallError} */
  send: (data: Data, typed: Values) => Promise<unknown>;
  /** The sentence of a failure. */
  explain: (error: unknown) => string;
  /** It is said where a field says it as well. */
  repeats?: boolean;
}

/**
 * What is typed into a form, what is wrong with it, and whether it is on its way. It is checked and sent
 * one time at once, and what is refused gets the focus.
 */
export function useForm<Values extends Record<string, string>, Data>(
  [values, setValues]: FormState<Values>,
  { check, send, explain, repeats }: FormOptions<Values, Data>,
) {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    showErrors(ref.current, () => {
      setErrors(fields);
      setFailure(message);
    });
  };
  const mend = (name: string) => setErrors(({ [name]: _, ...others }) => others);

  const field = (name: keyof Values & string) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => {
      const { value } = target;
      setValues((before) => ({ ...before, [name]: value }));
      mend(name);
    },
  });

  const submit = async (prove?: Prove): Promise<void> => {
    // Enter in a field submits the form even while the button is busy.
    if (busy) return;
    const half = [...(ref.current?.elements ?? [])].find(isHalfTyped);
    if (half) return refuse({ [half.name]: HALF_TYPED }, null);
    const checked = check(prove ? { ...values, password: PROVED_LATER } : values);
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    refuse({}, null);
    try {
      await send(prove ? { ...checked.data, password: await prove() } : checked.data, values);
    } catch (error) {
      const fields = error instanceof CallError ? error.errors : {};
      const isPlaced = Object.keys(values).some((name) => fields[name]);
      refuse(fields, isPlaced && !repeats ? null : explain(error));
    } finally {
      setBusy(false);
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  /** Of the `<form>`. */
  const props = { ref, noValidate: true, onSubmit };
  return { props, values, failure, busy, field, mend, submit };
}

/** A half-typed date, whose value is '' as if nothing stood there. */
function isHalfTyped(field: Element): field is HTMLInputElement {
  return field instanceof HTMLInputElement && field.validity.badInput;
}
