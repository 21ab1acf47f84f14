import { type ReactNode, useEffect, useState } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { Money, shortened, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/deed-dialog.tsx";
import { Note, Spoken } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { isSameAmount } from "./amounts.ts";
import type { Preview } from "./answers.ts";
import { ApprovalsSoFar, DecisionFacts } from "./policy.tsx";
import { PriceChange } from "./price-change.tsx";
import { APPROVE_FORM } from "./words.ts";

/** How old a price may be before it is read again. */
export const FRESH_MS = 15_000;

type FormProps = {
  preview: Preview;
  readAt: number;
  pending: boolean;
  /** Somebody types: the price stays as it is meanwhile. */
  isHeld: boolean;
  onTyping: (typing: boolean) => void;
  onSubmit: (note: string) => void;
  onClose: () => void;
  /** What became of the last try, beside the button that made it. */
  refused: ReactNode;
  /** False: after a refusal something is to be read and ticked first. */
  mayCommit: boolean;
};

/** All that is said before somebody commits: the price then and now, the rule, who is told, and that no funds move. */
export function ApproveForm({ preview, readAt, pending, isHeld, onTyping, onSubmit, onClose, refused, mayCommit }: FormProps) {
  const says = useWords(APPROVE_FORM);
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  const { settlement, proposed, obstacle, policy, source_amount } = preview;
  const lapsed = useHasPassed(settlement.expires_at);
  const { approvals_needed: needed, approvals_given: given } = policy;
  const wantsMore = needed > 1;
  const isLast = given + 1 >= needed;
  const isProven = !wantsMore || isSameAmount(typed, source_amount);
  const mayApprove = isProven && !policy.waits_for_others && policy.may_approve && mayCommit;
  const whileTyping = { onFocus: () => onTyping(true), onBlur: () => onTyping(false) };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayApprove) onSubmit(note.trim());
      }}
    >
      <DialogSummary
        source={{ amount: source_amount, currency: settlement.source_currency }}
        net={{ amount: (proposed ?? preview.current).destination_amount, currency: settlement.destination_currency }}
        merchant={settlement.external_merchant_id}
      />
      <ApprovalsSoFar preview={preview} />
      {lapsed && <p className="muted">{says.originalQuoteLapsed}</p>}
      <PriceChange preview={preview} />
      {proposed && <Freshness readAt={readAt} isHeld={isHeld} />}
      {obstacle && <Note kind="danger">{says.cannotApprovedNow(obstacle.detail)}</Note>}
      <DecisionFacts preview={preview} />
      <Note>
        {says.approvingMovesNo}{" "}
        {proposed &&
          (!isLast ? (
            says.partnerLearnsNothing
          ) : (
            <Told sentence={says.partnerMustConfirm} time={<Time at={proposed.expires_at} form="absolute" />} />
          ))}
      </Note>
      {wantsMore && (
        <TextField
          label={says.typeAmountApprove(grouped(source_amount), settlement.source_currency)}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...whileTyping}
        />
      )}
      <TextField
        label={says.noteOptionalAudit}
        maxLength={1_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        {...whileTyping}
      />
      {refused}
      <DialogButtons onCancel={onClose} cancel={says.close} pending={pending} ready={proposed !== null && mayApprove}>
        {says.approve(
          wantsMore ? `${Math.min(given + 1, needed)} of ${needed}` : null,
          proposed ? grouped(proposed.destination_amount) : "",
          settlement.destination_currency,
          shortened(settlement.wallet_address, 4, 3),
        )}
      </DialogButtons>
    </form>
  );
}

/** How old the shown price is: it is read again by itself, except while somebody types. */
function Freshness({ readAt, isHeld }: { readAt: number; isHeld: boolean }) {
  const says = useWords(APPROVE_FORM);
  const [age, setAge] = useState(0);
  const [first] = useState(readAt);
  useEffect(() => {
    const count = () => setAge(Math.min(FRESH_MS, Date.now() - readAt));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [readAt]);
  const left = Math.max(0, Math.ceil((FRESH_MS - age) / 1_000));
  return (
    <div className="freshness small muted">
      <progress max={FRESH_MS} value={FRESH_MS - age} aria-label={says.freshnessPrice} />
      <span>{isHeld ? says.priceHeldWhile : left === 0 ? says.priceBeingRead : says.priceRefreshesS(left)}</span>
      <Spoken>{readAt === first ? "" : says.priceRefreshed}</Spoken>
    </div>
  );
}

type Amount = { amount: string; currency: string };

export function DialogSummary({ source, net, merchant }: { source: Amount; net: Amount; merchant: string }) {
  const says = useWords(APPROVE_FORM);
  return (
    <p className="dialog-summary">
      <Money {...source} /> → <Money {...net} /> <span className="muted">{says.forWord(merchant)}</span>
    </p>
  );
}
