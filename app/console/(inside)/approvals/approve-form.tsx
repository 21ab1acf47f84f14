import { type ReactNode, useEffect, useState } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { Money, shortened, Time, useHasPassed } from "../../_components/controls/values.tsx";
import { DialogButtons } from "../../_components/dialogs/deed-dialog.tsx";
import { Note, Spoken } from "../../_components/frame/page-parts.tsx";
import { grouped } from "../../_format/amount.ts";
import { isSameAmount } from "./amounts.ts";
import type { Preview } from "./answers.ts";
import { ApprovalsSoFar, DecisionFacts } from "./policy.tsx";
import { PriceChange } from "./price-change.tsx";

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
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  const { settlement, proposed, obstacle, policy, source_amount } = preview;
  const lapsed = useHasPassed(settlement.expires_at);
  const wantsTwo = policy.approvals_needed === 2;
  const isFirst = wantsTwo && policy.approvals.length === 0;
  const isProven = !wantsTwo || isSameAmount(typed, source_amount);
  const isMine = policy.approvals.some(({ is_mine }) => is_mine);
  const whileTyping = { onFocus: () => onTyping(true), onBlur: () => onTyping(false) };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isProven && !isMine && mayCommit) onSubmit(note.trim());
      }}
    >
      <DialogSummary
        source={{ amount: source_amount, currency: settlement.source_currency }}
        net={{ amount: (proposed ?? preview.current).destination_amount, currency: settlement.destination_currency }}
        merchant={settlement.external_merchant_id}
      />
      <ApprovalsSoFar preview={preview} />
      {lapsed && <p className="muted">Original quote lapsed; approving re-prices.</p>}
      <PriceChange preview={preview} />
      {proposed && <Freshness readAt={readAt} isHeld={isHeld} />}
      {obstacle && <Note kind="danger">It cannot be approved now: {obstacle.detail}</Note>}
      <DecisionFacts preview={preview} />
      <Note>
        Approving moves no funds.{" "}
        {proposed &&
          (isFirst ? (
            "The partner learns nothing of a first approval."
          ) : (
            <>
              The partner must confirm by <Time at={proposed.expires_at} form="absolute" />.
            </>
          ))}
      </Note>
      {wantsTwo && (
        <TextField
          label={`Type the amount to approve it: ${grouped(source_amount)} ${settlement.source_currency}`}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          {...whileTyping}
        />
      )}
      <TextField
        label="Note (optional, for the audit log)"
        maxLength={1_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
        {...whileTyping}
      />
      {refused}
      <DialogButtons onCancel={onClose} cancel="Close" pending={pending} ready={proposed !== null && isProven && !isMine && mayCommit}>
        Approve {wantsTwo && `${policy.approvals.length + 1} of 2: `}
        {proposed ? grouped(proposed.destination_amount) : ""} {settlement.destination_currency} to{" "}
        {shortened(settlement.wallet_address, 4, 3)}
      </DialogButtons>
    </form>
  );
}

/** How old the shown price is: it is read again by itself, except while somebody types. */
function Freshness({ readAt, isHeld }: { readAt: number; isHeld: boolean }) {
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
      <progress max={FRESH_MS} value={FRESH_MS - age} aria-label="Freshness of the price" />
      <span>{isHeld ? "Price held while you type" : left === 0 ? "Price is being read" : `Price refreshes in ${left} s`}</span>
      <Spoken>{readAt === first ? "" : "Price refreshed"}</Spoken>
    </div>
  );
}

type Amount = { amount: string; currency: string };

export function DialogSummary({ source, net, merchant }: { source: Amount; net: Amount; merchant: string }) {
  return (
    <p className="dialog-summary">
      <Money {...source} /> → <Money {...net} /> <span className="muted">for {merchant}</span>
    </p>
  );
}
