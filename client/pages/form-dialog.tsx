import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button, type ButtonVariant } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { FormFailure } from '../components/form-failure.tsx';

interface FormDialogProps {
  title: string;
  form: { props: ComponentProps<'form'>; busy: boolean; failure: string | null };
  submit: string;
  busyLabel?: string;
  variant?: ButtonVariant;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog, which stays open while the form is on its way. */
export function FormDialog(props: FormDialogProps) {
  const { title, form, submit, busyLabel, variant = 'primary', onClose } = props;
  const { busy, failure } = form;
  const id = useId();
  return (
    <Dialog
      isForm
      title={title}
      onClose={busy ? () => undefined : onClose}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant={variant} busy={busy} busyLabel={busyLabel}>
            {submit}
          </Button>
        </>
      }
    >
      <form {...form.props} id={id} className="stack gap-24">
        {props.children}
        <FormFailure message={failure} />
      </form>
    </Dialog>
  );
}

/** Paragraphs above the fields. */
export function FormText({ children }: { children: ReactNode }) {
  return <div className="stack gap-12">{children}</div>;
}
