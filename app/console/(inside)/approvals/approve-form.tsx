import { type ReactNode, useEffect, useState } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { Money, shortened, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/confirm-dialog.tsx";
import { Announcement, Note } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import { Trans, useTranslations } from "../../_words/words.ts";
import { isSameAmount } from "./amounts.ts";
import type { Hint, Preview } from "./answers.ts";
import { ApprovalsSoFar, DecisionFacts } from "./policy.tsx";
import { PriceChange } from "./price-change.tsx";
import { Recipient } from "./recipient.tsx";
import { APPROVE_FORM } from "./words.ts";

/** The age at which a price is read again. */
export const FRESH_MS = 15_000;

type FormProps = {
  preview: Preview;
  /** Undefined while it is read. */
  partner: string | undefined;
  hints: readonly Hint[] | undefined;
  note: string;
  onNote: (note: string) => void;
  readAt: number;
  pending: boolean;
  /** The user is typing: the price stays as it is meanwhile. */
  isHeld: boolean;
  onTyping: (typing: boolean) => void;
  onSubmit: () => void;
  onClose: () => void;
  /** The outcome of the last try, next to its button. */
  refused: ReactNode;
  /** False: after a refusal, the user must first read and tick something. */
  mayCommit: boolean;
};

/** Everything to know before approving: the recipient, the old and new price, the rule, who is notified, and that no funds move. */
export function ApproveForm({ preview, partner, hints, note, onNote, refused, mayCommit, ...form }: FormProps) {
  const t = useTranslations(APPROVE_FORM);
  const { readAt, pending, isHeld, onTyping, onSubmit, onClose } = form;
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
        if (mayApprove) onSubmit();
      }}
    >
      <DialogSummary
        source={{ amount: source_amount, currency: settlement.source_currency }}
        net={{ amount: (proposed ?? preview.current).destination_amount, currency: settlement.destination_currency }}
      />
      <Recipient
        partner={partner}
        merchant={settlement.external_merchant_id}
        wallet={settlement.wallet_address}
        chain={settlement.chain}
        hints={hints}
      />
      <ApprovalsSoFar preview={preview} />
      {lapsed && <p className="muted">{t.quoteLapsed}</p>}
      <PriceChange preview={preview} />
      {proposed && <Freshness readAt={readAt} isHeld={isHeld} />}
      {obstacle && <Note kind="danger">{t.notApprovable(obstacle.detail)}</Note>}
      <DecisionFacts preview={preview} />
      <Note>
        {t.movesNoFunds}{" "}
        {proposed &&
          (!isLast ? t.partnerNotNotified : <Trans sentence={t.confirmBy} time={<Time at={proposed.expires_at} form="absolute" />} />)}
      </Note>
      {wantsMore && (
        <TextField
          label={t.typeAmount(grouped(source_amount), settlement.source_currency)}
          inputMode="decimal"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...whileTyping}
        />
      )}
      <TextField label={t.note} maxLength={1_000} value={note} onChange={({ target }) => onNote(target.value)} {...whileTyping} />
      <div className="dialog-foot">
        {refused}
        <DialogButtons onCancel={onClose} cancel={t.close} pending={pending} ready={proposed !== null && mayApprove}>
          {proposed === null
            ? t.noPrice
            : t.approve(
                wantsMore ? `${Math.min(given + 1, needed)} of ${needed}` : null,
                grouped(proposed.destination_amount),
                settlement.destination_currency,
                shortened(settlement.wallet_address, 4, 3),
              )}
        </DialogButtons>
      </div>
    </form>
  );
}

/** The age of the shown price: it is refreshed automatically, except while the user types. */
function Freshness({ readAt, isHeld }: { readAt: number; isHeld: boolean }) {
  const t = useTranslations(APPROVE_FORM);
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
      <progress max={FRESH_MS} value={FRESH_MS - age} aria-label={t.priceFreshness} />
      <span>{isHeld ? t.priceFrozen : left === 0 ? t.priceLoading : t.priceRefreshesIn(left)}</span>
      <Announcement>{readAt === first ? "" : t.priceRefreshed}</Announcement>
    </div>
  );
}

type Amount = { amount: string; currency: string };

/** The two amounts a decision is about. */
export function DialogSummary({ source, net }: { source: Amount; net: Amount }) {
  return (
    <p className="dialog-summary">
      <Money {...source} /> → <Money {...net} />
    </p>
  );
}
