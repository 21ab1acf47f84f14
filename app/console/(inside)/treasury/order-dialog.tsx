"use client";

import { useState } from "react";
import type { LaneEntryWire } from "#server/contract/console/treasury.ts";
import { Button } from "../../_components/button.tsx";
import { Dialog } from "../../_components/dialog.tsx";
import { TextArea, TextField } from "../../_components/field.tsx";
import { Refused } from "../../_components/refused.tsx";
import { useToast } from "../../_components/toast.tsx";
import { useTRPCClient } from "../../_trpc/client.ts";
import { useDeed } from "../developers/keys/use-deed.ts";
import type { Wallet } from "./wallet-board.tsx";

export type Order =
  | { what: "bump"; entry: LaneEntryWire }
  | { what: "cancel"; entry: LaneEntryWire }
  | { what: "pause_wallet" | "resume_wallet"; wallet: Wallet };

type Words = { title: string; explained: string; button: string; toast: string; typed: string; danger: boolean };

function wordsOf(order: Order): Words {
  switch (order.what) {
    case "bump":
      return {
        title: `Raise the fee of nonce ${order.entry.nonce}`,
        explained:
          "The worker offers the very same payment at a higher fee, under the same nonce: same recipient, same amount. Only one of the two can ever be mined.",
        button: "Raise the fee",
        toast: "The fee is being raised",
        typed: String(order.entry.nonce),
        danger: false,
      };
    case "cancel":
      return {
        title: `Cancel nonce ${order.entry.nonce}`,
        explained:
          "The worker sends an empty transaction to ourselves under the same nonce. Which of the two is mined, the chain decides: if the payment is faster, it is paid. If not, it fails for good and the partner is told.",
        button: "Cancel the payment",
        toast: "The cancellation is being sent",
        typed: String(order.entry.nonce),
        danger: true,
      };
    case "pause_wallet":
      return {
        title: "Pause the wallet",
        explained:
          "It signs nothing new until it is resumed. What it has signed is still looked after. While every wallet of a chain is paused, nobody can get a quote there.",
        button: "Pause the wallet",
        toast: "Wallet paused",
        typed: order.wallet.address.slice(-6),
        danger: true,
      };
    case "resume_wallet":
      return {
        title: "Resume the wallet",
        explained: "It signs again, and whatever was wrong with it counts as looked into.",
        button: "Resume the wallet",
        toast: "Wallet resumed",
        typed: order.wallet.address.slice(-6),
        danger: false,
      };
  }
}

type Props = { order: Order | null; onClose: () => void; onGiven: () => void };

/** An order about the treasury: what it does in plain words, why, and a typed word against slips. */
export function OrderDialog({ order, onClose, onGiven }: Props) {
  const [busy, setBusy] = useState(false);
  const words = order && wordsOf(order);
  return (
    <Dialog
      open={order !== null}
      onOpenChange={(open) => !open && onClose()}
      title={words?.title ?? ""}
      description={words?.explained}
      busy={busy}
    >
      {order && words && <GiveOrder order={order} words={words} onClose={onClose} onGiven={onGiven} onBusy={setBusy} />}
    </Dialog>
  );
}

type GiveProps = { order: Order; words: Words; onClose: () => void; onGiven: () => void; onBusy: (busy: boolean) => void };

function GiveOrder({ order, words, onClose, onGiven, onBusy }: GiveProps) {
  const client = useTRPCClient();
  const toast = useToast();
  const deed = useDeed();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const ready = reason.trim().length >= 8 && typed.trim() === words.typed;
  const send = async (): Promise<unknown> => {
    const why = reason.trim();
    if (order.what === "bump") return await client.treasury.bump.mutate({ transfer_id: order.entry.transfer_id, reason: why });
    if (order.what === "cancel") return await client.treasury.cancel.mutate({ transfer_id: order.entry.transfer_id, reason: why });
    return await client.treasury.pause.mutate({ wallet_id: order.wallet.id, paused: order.what === "pause_wallet", reason: why });
  };
  const give = async () => {
    onBusy(true);
    await deed.run(send, () => {
      toast(words.toast);
      onGiven();
      onClose();
    });
    onBusy(false);
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void give();
      }}
    >
      {deed.error !== null && <Refused error={deed.error} />}
      <TextArea
        label="Reason"
        hint="At least eight characters; for the audit log"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <TextField
        label={`Type ${words.typed} to confirm`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="dialog-buttons">
        <Button onClick={onClose} disabled={deed.pending}>
          Leave it
        </Button>
        <Button type="submit" look={words.danger ? "danger" : "primary"} pending={deed.pending} disabled={!ready}>
          {words.button}
        </Button>
      </div>
    </form>
  );
}
