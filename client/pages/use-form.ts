import { useRef, useState } from 'react';
import { CallError } from '../api/errors.ts';
import { type Checked, type FieldErrors, valuesOf } from './check-form.ts';
import { focusFirstError } from './focus.ts';

/** What is typed into a form, what is wrong with it, and whether it is on its way. */
export function useForm<Values extends Record<string, string>>(initial: Values) {
  const ref = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    setErrors(fields);
    setFailure(message);
    focusFirstError(ref.current);
  };

  const change = (name: keyof Values & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others);
  };

  const field = (name: keyof Values & string) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
  });

  /**
   * Checks and sends the form, one time at once, and focuses what is refused.
   * @param send throws a CallError @param explain a failure that belongs to none of the fields
   */
  const submit = async <Data>(
    check: (values: Values) => Checked<Data>,
    send: (data: Data) => Promise<void>,
    explain: (error: unknown) => string,
  ): Promise<void> => {
    // Enter in a field submits the form even while the button is busy.
    if (busy) return;
    const typed = valuesOf(ref.current, values);
    setValues(typed);
    const checked = check(typed);
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    refuse({}, null);
    try {
      await send(checked.data);
    } catch (error) {
      setBusy(false);
      const fields = error instanceof CallError ? error.errors : {};
      const isPlaced = Object.keys(typed).some((name) => fields[name]);
      refuse(fields, isPlaced ? null : explain(error));
    }
  };

  return { ref, values, errors, failure, busy, change, field, submit };
}
