"use client";

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextArea, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useTRPCClient } from "../../_trpc/client.ts";
import { useDeed } from "../developers/keys/use-deed.ts";
import type { Halt, LaneEntry, Wallet } from "./answers.ts";

export type Order =
  | { what: "bump"; entry: LaneEntry }
  | { what: "cancel"; entry: LaneEntry }
  | { what: "halt"; kind: "wallet" | "chain"; key: string; name: string }
  | { what: "lift"; halt: Halt }
  | { what: "wallet_state"; wallet: Wallet; state: Wallet["state"] };

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
    case "halt":
      return {
        title: `Halt the ${order.kind}`,
        explained:
          "It signs nothing new until two people let it go on (in the sandbox one). What it has signed is still looked after. While nothing is signed on a chain, nobody can get a quote there.",
        button: `Halt the ${order.kind}`,
        toast: `The ${order.kind} is halted`,
        typed: order.name.slice(-6),
        danger: true,
      };
    case "lift":
      return {
        title: "Let it go on",
        explained: `${order.halt.name}: ${order.halt.detail} Say what you found out. In live mode another admin confirms it under Proposals before anything goes on.`,
        button: "Let it go on",
        toast: "The halt is lifted, or waits for a second person",
        typed: order.halt.lane_key.slice(-6),
        danger: false,
      };
    case "wallet_state":
      return { ...STATE_WORDS[order.state], toast: "The wallet's state is changed", typed: order.wallet.address.slice(-6) };
  }
}

const STATE_WORDS: Record<Wallet["state"], { title: string; explained: string; button: string; danger: boolean }> = {
  active: { title: "Use the wallet again", explained: "It signs and receives like any other.", button: "Use it again", danger: false },
  draining: {
    title: "Drain the wallet",
    explained: "It signs nothing new and receives no sweep; what it has signed is seen through.",
    button: "Drain the wallet",
    danger: true,
  },
  retired: {
    title: "Retire the wallet",
    explained: "Its key is not used again, not even for a higher fee. Drain it first, if anything is on its way.",
    button: "Retire the wallet",
    danger: true,
  },
  compromised: {
    title: "The wallet's key is in other hands",
    explained: "It is halted at once, its key is never used again, and nothing is swept into it. This is not taken back.",
    button: "Say that it is compromised",
    danger: true,
  },
};

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
    if (order.what === "halt") return await client.treasury.halt.mutate({ lane_kind: order.kind, lane_key: order.key, reason: why });
    if (order.what === "lift") return await client.treasury.lift.mutate({ halt_id: order.halt.id, reason: why });
    return await client.treasury.walletState.mutate({ wallet_id: order.wallet.id, state: order.state, reason: why });
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
