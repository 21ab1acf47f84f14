import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import type { Format } from "../../_words/formats.ts";
import { useTranslations } from "../../_words/words.ts";
import { type Owner, pairName, setOf, type TermsSet, type TermsShown } from "./pair-words.ts";
import { TermsPreview } from "./terms-preview.tsx";
import { TERMS, TERMS_FORM } from "./terms-words.ts";

type FormProps = {
  owner: Owner;
  /** The present terms: the base of the comparison, and the version that the change expects. null: none yet. */
  current: TermsShown | null;
  initial: TermsSet;
  initialReason: string;
  mayEdit: boolean;
  onSaved: () => void;
};

type Fields = Record<Exclude<keyof TermsSet, "enabled">, string> & { enabled: boolean; reason: string };

const LEAST_REASON = 8;
const WHOLE = /^\d{1,6}$/;
const DECIMAL = /^\d{1,16}(\.\d{1,18})?$/;

/** Saves a pair's terms as a new version. It shows the effect before saving. If two users save at once, the second gets a conflict. */
export function TermsForm({ owner, current, initial, initialReason, mayEdit, onSaved }: FormProps) {
  const t = useTranslations(TERMS_FORM);
  const fields = useTranslations(TERMS);
  const [seen, setSeen] = useState(current);
  const { register, handleSubmit, watch, reset, formState } = useForm<Fields>({ defaultValues: fieldsOf(initial, initialReason) });
  const values = watch();
  const terms = termsOf(values, t.format);
  const { save, error, forgive, pending } = useSaving(owner, (saved) => {
    setSeen(saved);
    reset(fieldsOf(setOf(saved), ""));
    onSaved();
  });
  // Nothing entered yet: a version that somebody else saves meanwhile appears at once.
  const untouched = !formState.isDirty && initialReason === "";
  useEffect(() => {
    if (!untouched || current === null || current.version <= (seen?.version ?? 0)) return;
    setSeen(current);
    reset(fieldsOf(setOf(current), ""));
  }, [untouched, current, seen, reset]);
  const faults = new Map(refusalOf(error)?.errors.map(({ pointer, message }) => [pointer, message]));
  const faultAt = (name: keyof TermsSet) => faults.get(`/${name}`);
  const conflict = refusalOf(error)?.code === "conflict";
  const number = (name: keyof TermsSet & keyof Fields, hint: string) => (
    <TextField label={fields.labels[name]} hint={hint} inputMode="decimal" disabled={!mayEdit} error={faultAt(name)} {...register(name)} />
  );
  const { source_currency: source, destination_currency: token } = owner;
  const expected = seen === null ? 0 : seen.version;
  return (
    <form className="form" onSubmit={(event) => void handleSubmit(() => terms && void save(terms, expected, values.reason.trim()))(event)}>
      <label className="check">
        <input type="checkbox" disabled={!mayEdit} {...register("enabled")} />
        {fields.labels.enabled}
      </label>
      <div className="field-row">
        {number("spread_bps", t.spreadHint)}
        {number("platform_fee", token)}
      </div>
      <div className="field-row">
        {number("minimum_source_amount", source)}
        {number("maximum_source_amount", t.maximumHint(source))}
      </div>
      <div className="field-row">
        {number("two_approvals_above_amount", t.secondThresholdHint(source))}
        {number("batch_maximum_source_amount", t.batchMaximumHint(source))}
      </div>
      <div className="field-row">
        {number("quote_lifetime_seconds", t.lifetimeHint)}
        {number("approved_lifetime_seconds", t.lifetimeHint)}
      </div>
      <TermsPreview owner={owner} current={seen === null || seen.withdrawn ? null : setOf(seen)} terms={terms} />
      {conflict && (
        <div className="note" data-kind="warning" role="alert">
          <p>{t.conflict}</p>
          <Button
            onClick={() => {
              setSeen(current);
              forgive();
            }}
          >
            {t.compareVersion(current?.version ?? 0)}
          </Button>
        </div>
      )}
      {error !== null && !conflict && faults.size === 0 && <Refused error={error} />}
      {mayEdit && (
        <>
          <TextArea label={t.reason} hint={t.reasonHint(LEAST_REASON)} maxLength={1_000} {...register("reason")} />
          <DialogButtons
            pending={pending}
            ready={
              terms !== null &&
              [...values.reason.trim()].length >= LEAST_REASON &&
              (seen === null || seen.withdrawn || !isSame(terms, setOf(seen)))
            }
          >
            {owner.partner_id === null ? t.saveTerms(pairName(owner)) : t.savePartners}
          </DialogButtons>
        </>
      )}
    </form>
  );
}

function useSaving(owner: Owner, onSaved: (saved: TermsShown) => void) {
  const t = useTranslations(TERMS_FORM);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const { run, ...mutation } = useConfirmedMutation(t.notSaved);
  const refresh = useRefresh(trpc.rates.terms.queryKey(), trpc.rates.history.queryKey());
  const save = (terms: TermsSet, version: number, reason: string) =>
    run(
      () => client.rates.set.mutate({ ...owner, terms, expected_version: version, reason }).finally(refresh),
      (saved) => {
        if (saved.terms === null) {
          toast(t.proposed, t.proposedMore(pairName(owner)));
        } else {
          toast(t.saved, t.termsVersion(pairName(owner), saved.terms.version));
          onSaved(saved.terms);
        }
      },
    );
  return { save, ...mutation };
}

function fieldsOf(terms: TermsSet, reason: string): Fields {
  return {
    ...terms,
    spread_bps: String(terms.spread_bps),
    two_approvals_above_amount: terms.two_approvals_above_amount ?? "",
    batch_maximum_source_amount: terms.batch_maximum_source_amount ?? "",
    quote_lifetime_seconds: String(terms.quote_lifetime_seconds),
    approved_lifetime_seconds: String(terms.approved_lifetime_seconds),
    reason,
  };
}

/** null: some field is not a number yet. The service checks whether the numbers make sense. */
function termsOf(fields: Fields, { plain }: Format): TermsSet | null {
  const whole = [fields.spread_bps, fields.quote_lifetime_seconds, fields.approved_lifetime_seconds].map(plain);
  const [fee, minimum, maximum] = [plain(fields.platform_fee), plain(fields.minimum_source_amount), plain(fields.maximum_source_amount)];
  const [two, batch] = [plain(fields.two_approvals_above_amount), plain(fields.batch_maximum_source_amount)];
  const isDecimal = (text: string) => DECIMAL.test(text);
  const given = [fee, minimum, maximum, ...[two, batch].filter((text) => text !== "")];
  if (!whole.every((text) => WHOLE.test(text)) || !given.every(isDecimal)) return null;
  return {
    enabled: fields.enabled,
    spread_bps: Number(whole[0]),
    platform_fee: fee,
    minimum_source_amount: minimum,
    maximum_source_amount: maximum,
    two_approvals_above_amount: two === "" ? null : two,
    batch_maximum_source_amount: batch === "" ? null : batch,
    quote_lifetime_seconds: Number(whole[1]),
    approved_lifetime_seconds: Number(whole[2]),
  };
}

function isSame(left: TermsSet | null, right: TermsSet): boolean {
  return left !== null && JSON.stringify(left, Object.keys(right).sort()) === JSON.stringify(right, Object.keys(right).sort());
}
