import { Suspense, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSearchParams } from 'react-router-dom';
import { dayAt } from '../../../shared/day.ts';
import { isBlank } from '../../../shared/visible-text.ts';
import { Banner } from '../../components/banner.tsx';
import { confirm } from '../../components/confirm.tsx';
import { lazyExtra } from '../../components/lazy-extra.ts';
import { isNoRoom } from '../../db/database.ts';
import { noteTold } from '../../db/drafts.ts';
import { mergeLists, personKey } from '../../db/merge-draft.ts';
import { DraftChangedError, FilesMissingError } from '../../db/outbox.ts';
import type { ChosenRecipient, DraftFields, OutboxFailure, OutboxRow } from '../../db/tables.ts';
import { isWaitingForOthers, useKnownAdded } from '../../hooks/added-list.ts';
import { takeCaret } from '../../hooks/caret.ts';
import type { DraftHandle } from '../../hooks/draft-form.ts';
import { useAttachments } from '../../hooks/use-attachments.ts';
import { useLimits } from '../../hooks/use-capsules.ts';
import { ownTimeZone } from '../../hooks/use-now.ts';
import { queueDraft } from '../../hooks/use-outbox.ts';
import { OtherTab } from '../contents/other-tab.tsx';
import { focusFirstError, focusHeading, showErrors } from '../focus.ts';
import { FOR_A_CHILD, isOnlyBegun } from './beginnings.ts';
import { BirthdayDialog } from './birthday-dialog.tsx';
import { checkDraft, stillElsewhere, stillNeeded } from './check-draft.ts';
import { ContentsCard } from './contents-card.tsx';
import styles from './create.module.css';
import { DetailsCard } from './details-card.tsx';
import { RecipientDialog } from './recipient-dialog.tsx';
import { SummaryCard } from './summary-card.tsx';
import { useSending } from './use-sending.ts';

const AskOthers = lazyExtra(async () => (await import('./ask-others.tsx')).AskOthers);

interface CreateFormProps {
  handle: DraftHandle;
  /** The outbox item of the draft, once it is queued. */
  item: OutboxRow | null | undefined;
  /** Called with every change; the first one begins a new draft. */
  onBegin: () => void;
}

export function CreateForm({ handle, item, onBegin }: CreateFormProps) {
  const { draft } = handle;
  const limits = useLimits().data;
  const files = useAttachments(draft.id);
  useSending(item);
  const others = useKnownAdded(draft.id);
  const [params] = useSearchParams();
  const [asksBirth, setAsksBirth] = useState(
    params.get('begin') === FOR_A_CHILD && draft.fields.dateToUnlock === '',
  );
  /** Who was chosen when the dialog opened. */
  const [choosing, setChoosing] = useState<readonly ChosenRecipient[] | null>(null);
  const [isQueuing, setQueuing] = useState(false);
  const [refusal, setRefusal] = useState<OutboxFailure | null>(draft.failure ?? null);
  const [refusals, setRefusals] = useState(0);
  /** As it was last chosen here, or first came to the account. */
  const [lastDay, setLastDay] = useState<string | null>(null);
  if (lastDay === null && draft.account) setLastDay(draft.fields.dateToUnlock);
  const form = useRef<HTMLFormElement>(null);
  const isSending = isQueuing || Boolean(item);
  const isBegun =
    Boolean(files?.length) || Object.values(draft.fields).some((value) => Object(value).length > 0);
  const isCopying = files?.some(({ copied }) => copied !== null) ?? true;
  const message = refusal?.message || null;

  // A draft that came back from the outbox opens at its first invalid field.
  const isBack = useRef(draft.failure !== undefined);
  useLayoutEffect(() => {
    if (takeCaret(form.current) || !isBack.current) return;
    // The new page takes the focus to its heading first.
    requestAnimationFrame(() => focusFirstError(form.current) || focusHeading());
  }, []);

  const refuse = (failure: OutboxFailure) => {
    setRefusal(failure);
    setRefusals((count) => count + 1);
  };
  const note = (failure?: OutboxFailure) => void noteTold(draft.id, { failure }).catch(reportError);
  const mend = (names: readonly string[]) => {
    if (!refusal || names.every((name) => !refusal.errors[name])) return;
    const errors = Object.entries(refusal.errors).filter(([name]) => !names.includes(name));
    const rest = { ...refusal, errors: Object.fromEntries(errors) };
    setRefusal(errors.length === 0 ? null : rest);
    note(errors.length === 0 ? undefined : rest);
  };
  const focusOn = (name: string) =>
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const change = (fields: Partial<DraftFields>) => {
    mend(Object.keys(fields).map((name) => ERROR_FIELDS[name] ?? name));
    if (fields.dateToUnlock !== undefined) setLastDay(fields.dateToUnlock);
    handle.change(fields);
    onBegin();
  };
  // Another device may have written while a question or a dialog stood.
  const now = useRef(draft.fields);
  now.current = draft.fields;
  const moveToLetter = () => {
    const { description, personalMessage } = now.current;
    const letter = isBlank(personalMessage) ? description : `${description}\n\n${personalMessage}`;
    flushSync(() => change({ personalMessage: letter, description: '' }));
    focusOn('description');
  };
  const submit = async () => {
    const { fields } = draft;
    const now = new Date();
    const wrong = checkDraft({ fields, now, timeZone: ownTimeZone() });
    if (wrong) return showErrors(form.current, () => refuse(wrong));
    const hasLetter = !isBlank(fields.personalMessage);
    const hasMore = files?.length !== 0 || others.length > 0;
    const isMisplaced = !hasLetter && fields.description.length > DESCRIPTION_USUAL_MAX;
    const other = isMisplaced ? { label: 'Move it to the letter', run: moveToLetter } : null;
    const doubts: string[] = [];
    if (isMisplaced) doubts.push(MISPLACED);
    else if (!hasLetter && !hasMore) doubts.push("There's no letter and no file in it.");
    if (isOnlyBegun(fields.personalMessage)) doubts.push(ONLY_BEGUN);
    if (await isWaitingForOthers(draft.id)) doubts.push(NOBODY_YET);
    const answers = { careful: true, yes: 'Seal it', no: 'Not yet', other };
    if (doubts.length > 0 && !(await confirm('Seal it anyway?', doubts.join(' '), answers))) return;
    setRefusal(null);
    setQueuing(true);
    // It should not have to be waited for once the server has the capsule.
    void import('../sealed/sealed-moment.tsx').catch(() => undefined);
    try {
      await queueDraft(handle, fields, files ?? []);
    } catch (error) {
      setQueuing(false);
      const failure = whyNotQueued(error, handle.isFull());
      handle.change({});
      refuse(failure);
    }
  };

  return (
    <>
      {/* A new key for each refusal, so that the same words are announced again. */}
      <div key={refusals} ref={bringIntoSight} className="for-failure">
        <Banner
          message={message}
          onDismiss={() => {
            setRefusal(refusal && { ...refusal, message: '' });
            note();
            focusHeading();
          }}
        />
      </div>
      <OtherTab handle={handle} />
      <form
        className={`column gap-16 ${styles.form}`}
        noValidate
        ref={form}
        onKeyDown={(event) => {
          // Sealing cannot be undone, so Enter in a field does not submit the form.
          const { target } = event;
          if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
          if (target.type !== 'file') event.preventDefault();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const rest = [...stillNeeded(draft.fields), ...stillElsewhere(files ?? [])];
          const isFree = !isSending && !isCopying && !handle.isInOtherTab;
          if (rest.length === 0 && isFree) void submit();
        }}
      >
        <div className={`stack gap-16 ${styles.left}`} inert={isSending}>
          <DetailsCard
            fields={draft.fields}
            isDayNews={lastDay !== null && lastDay !== draft.fields.dateToUnlock}
            errors={refusal?.errors ?? {}}
            isBegun={isBegun}
            isInOtherTab={handle.isInOtherTab}
            change={change}
            onChoose={() => setChoosing(draft.fields.recipients)}
          >
            <ContentsCard
              handle={handle}
              files={files ?? []}
              limits={limits}
              errors={refusal?.errors ?? {}}
              refusals={refusals}
              onMessage={(personalMessage) => change({ personalMessage })}
              onFiles={() => {
                mend(['files']);
                onBegin();
              }}
            />
            <div className={`target ${styles.ask}`} inert={handle.isInOtherTab}>
              {isBegun && (
                <Suspense>
                  <AskOthers handle={handle} onBegin={onBegin} />
                </Suspense>
              )}
            </div>
          </DetailsCard>
        </div>
        <SummaryCard
          handle={handle}
          files={files ?? []}
          others={others.map(({ name }) => name)}
          isCopying={isCopying}
          isSending={isSending}
          item={item}
        />
      </form>
      {asksBirth && (
        <BirthdayDialog
          today={dayAt(new Date(), ownTimeZone())}
          onClose={(day) => {
            flushSync(() => setAsksBirth(false));
            if (day) change({ dateToUnlock: day });
            focusOn('personalMessage');
          }}
        />
      )}
      {choosing && (
        <RecipientDialog
          chosen={choosing}
          onCancel={() => setChoosing(null)}
          onConfirm={(chosen) => {
            const there = now.current.recipients;
            change({ recipients: mergeLists(choosing, chosen, there, personKey) });
            setChoosing(null);
          }}
        />
      )}
    </>
  );
}

/** A description that is longer, in characters, was probably meant as the letter. */
const DESCRIPTION_USUAL_MAX = 400;
const MISPLACED =
  "There's no letter, and everyone you send it to can read the long description right away.";
const ONLY_BEGUN = 'Your letter has only its opening line.';
const NOBODY_YET = 'Nobody has added anything yet, and your link ends once you seal it.';

/** An empty banner must not scroll a page that was just opened. */
function bringIntoSight(banner: HTMLElement | null): void {
  if (banner?.textContent) banner.scrollIntoView({ block: 'center' });
}

/** Draft fields that have another name in the server's errors. */
const ERROR_FIELDS: Record<string, string> = { recipients: 'recipientEmails' };

const CHANGED = 'This draft was just changed elsewhere. Please look it over, then create it.';

/** Why a draft could not be put into the outbox. */
function whyNotQueued(error: unknown, isFull: boolean): OutboxFailure {
  if (error instanceof DraftChangedError) return { code: 'CHANGED', message: CHANGED, errors: {} };
  if (!(error instanceof FilesMissingError)) {
    const why =
      isFull || isNoRoom(error)
        ? "Your device is out of space, so we couldn't save the capsule. Free some space, then try again."
        : "We couldn't save the capsule on this device. Please try again.";
    return { code: 'NOT_KEPT', message: `${why} Your draft is still here.`, errors: {} };
  }
  const names = error.fileNames.map((name) => `“${name}”`).join(', ') || 'some files';
  const them = error.fileNames.length === 1 ? 'it' : 'them';
  const files = `We can't read ${names}. Please remove ${them} and add ${them} again.`;
  return { code: 'NOT_KEPT', message: files, errors: { files } };
}
