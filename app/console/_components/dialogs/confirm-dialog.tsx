import { type ReactNode, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { TextArea, TextField } from "#app/console/_components/controls/field.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { Dialog } from "./dialog.tsx";
import { Refused, useConfirmedMutation } from "./use-confirmed-mutation.tsx";
import { CONFIRM_DIALOG } from "./words.ts";

type Translations = WithShared<typeof CONFIRM_DIALOG>;

type ReasonAsked = { label: string; hint: string; least: number; most: number };
const reasonOf = (t: Translations): ReasonAsked => ({ label: t.reason, hint: t.reasonHint, least: 8, most: 1_000 });

type ConfirmFormProps<Answer> = {
  /** Called once everything is filled in. The reason is trimmed. */
  mutation: (reason: string) => Promise<Answer>;
  /** Called however long it took; `hasLeft`: the user has closed the dialog meanwhile. */
  onDone: (answer: Answer, hasLeft: boolean) => void;
  /** The action, as the label of its button. */
  button: ReactNode;
  isDanger?: boolean;
  /** The label for the reason, if it is not the usual one. */
  reason?: boolean | Partial<ReasonAsked>;
  /** A word to type against mistakes. */
  typed?: string | undefined;
  /** Whether the additional fields are filled in. */
  ready?: boolean;
  cancel?: string;
  /** Without it, only the page itself offers a way back. */
  onCancel?: () => void;
  /** Additional fields or content above the reason. */
  children?: ReactNode;
};

/** The form of an action that needs confirmation: what it does, a reason, and a typed word. A refusal appears here, and the input stays. */
export function ConfirmForm<Answer>({ reason = false, typed, ready = true, isDanger = false, cancel, ...form }: ConfirmFormProps<Answer>) {
  const t = useTranslations(CONFIRM_DIALOG);
  const { run, pending, error } = useConfirmedMutation();
  const [why, setWhy] = useState("");
  const [word, setWord] = useState("");
  const asked = reason === false ? null : { ...reasonOf(t), ...(reason !== true && reason) };
  const isReady =
    ready && (asked === null || [...why.trim()].length >= asked.least) && (typed === undefined || word.trim() === typed.trim());
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void run(() => form.mutation(why.trim()), form.onDone);
      }}
      noValidate
    >
      {form.children}
      {asked && (
        <TextArea
          label={asked.label}
          hint={asked.hint}
          maxLength={asked.most}
          value={why}
          onChange={({ target }) => setWhy(target.value)}
        />
      )}
      {typed !== undefined && <TextField label={t.typeToConfirm(typed)} value={word} onChange={({ target }) => setWord(target.value)} />}
      {error !== null && <Refused error={error} />}
      <DialogButtons onCancel={form.onCancel} cancel={cancel} isDanger={isDanger} pending={pending} ready={isReady}>
        {form.button}
      </DialogButtons>
    </form>
  );
}

type DialogButtonsProps = {
  /** Without it, only the page itself offers a way back. */
  onCancel?: (() => void) | undefined;
  cancel?: string | undefined;
  isDanger?: boolean;
  pending?: boolean;
  ready?: boolean;
  children: ReactNode;
};

/** The footer of a form in a dialog: cancel, and the button that commits, also on Ctrl or ⌘ with Enter. */
export function DialogButtons({ onCancel, cancel, isDanger, pending = false, ready = true, children }: DialogButtonsProps) {
  const t = useTranslations(CONFIRM_DIALOG);
  return (
    <div className="dialog-buttons">
      {onCancel && <Button onClick={onCancel}>{cancel ?? t.cancel}</Button>}
      <Button
        type="submit"
        look={isDanger ? "danger" : "primary"}
        pending={pending}
        disabled={!ready}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {children}
      </Button>
    </div>
  );
}

type ConfirmDialogProps<Answer> = Omit<ConfirmFormProps<Answer>, "onCancel" | "onDone"> & {
  title: string;
  description?: ReactNode;
  width?: "wide";
  onDone: (answer: Answer) => void;
  onClose: () => void;
};

/** A {@link ConfirmForm} in its own dialog, for as long as it is rendered. */
export function ConfirmDialog<Answer>({ title, description, width, onDone, onClose, ...form }: ConfirmDialogProps<Answer>) {
  const done = (answer: Answer, hasLeft: boolean) => {
    onDone(answer);
    // If another dialog was opened meanwhile, that one stays open.
    if (!hasLeft) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description} {...(width && { width })}>
      <ConfirmForm {...form} onDone={done} onCancel={onClose} />
    </Dialog>
  );
}
