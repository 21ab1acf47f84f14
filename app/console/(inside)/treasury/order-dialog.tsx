import { useState } from "react";
import { MOST_ACCEPTED } from "#domain/halt-scope.ts";
import { parseRanges } from "#domain/number-ranges.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { Halt, NonceEntry, Wallet } from "./answers.ts";
import { ORDER_DIALOG } from "./order-words.ts";
import { HaltEffect } from "./past-effect.tsx";

type Translations = WithShared<typeof ORDER_DIALOG>;

export type Order =
  | { what: "bump"; entry: NonceEntry }
  | { what: "cancel"; entry: NonceEntry }
  | { what: "withdraw"; entry: NonceEntry }
  | { what: "halt"; kind: "wallet" | "chain" | "pair" | "all"; key: string; name: string }
  | { what: "lift"; halt: Halt }
  | { what: "safe_owner"; wallet: Wallet }
  | { what: "wallet_state"; wallet: Wallet; state: Wallet["state"] };

type Words = { title: string; explained: string; button: string; toast: string; typed: string; danger: boolean };

function translationsOf(order: Order, t: Translations): Words {
  switch (order.what) {
    case "bump":
    case "cancel":
    case "withdraw": {
      const { title, ...words } = t[order.what];
      const { nonce } = order.entry;
      return { ...words, title: title(nonce), typed: String(nonce), danger: order.what === "cancel" };
    }
    case "halt":
      if (order.kind === "all") return { ...t.stop, typed: t.everything, danger: true };
      return { ...t.halt[order.kind], explained: t.halt.explained, typed: order.name.slice(-6), danger: true };
    case "lift": {
      const { explained, ...words } = t.lift;
      const { lane_kind: kind, lane_key: key, name, detail } = order.halt;
      const typed = kind === "all" ? t.everything : key.slice(-6);
      return { ...words, explained: explained(name, detail), typed, danger: false };
    }
    case "safe_owner":
      return { ...t.safeOwner, typed: order.wallet.address.slice(-6), danger: true };
    case "wallet_state":
      return {
        ...t.states[order.state],
        toast: t.stateChanged,
        typed: order.wallet.address.slice(-6),
        danger: order.state !== "active",
      };
  }
}

type Props = { order: Order; onClose: () => void; onGiven: () => void };

/** An order about the treasury: its effect in plain words, the reason, and a typed word against mistakes. */
export function OrderDialog({ order, onClose, onGiven }: Props) {
  const t = useTranslations(ORDER_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  const { toast: done, danger, explained, ...words } = translationsOf(order, t);
  const [unread, setUnread] = useState("");
  const accepted = parseRanges(unread, MOST_ACCEPTED);
  const give = async (reason: string): Promise<{ proposed?: boolean }> => {
    const { treasury } = client;
    if (order.what === "bump") return await treasury.bump.mutate({ transfer_id: order.entry.transfer_id, reason });
    if (order.what === "cancel") return await treasury.cancel.mutate({ transfer_id: order.entry.transfer_id, reason });
    if (order.what === "withdraw") return await treasury.withdrawCancellation.mutate({ transfer_id: order.entry.transfer_id, reason });
    if (order.what === "halt") return await treasury.halt.mutate({ lane_kind: order.kind, lane_key: order.key, reason });
    if (order.what === "lift") return await treasury.lift.mutate({ halt_id: order.halt.id, accepted_nonces: accepted ?? [], reason });
    if (order.what === "safe_owner") return await treasury.replaceSafeOwner.mutate({ wallet_id: order.wallet.id, reason });
    return await treasury.walletState.mutate({ wallet_id: order.wallet.id, state: order.state, reason });
  };
  const onDone = ({ proposed = false }: { proposed?: boolean }) => {
    toast(proposed ? t.proposedToAdmin : done);
    onGiven();
  };
  const asksUnread = order.what === "lift" && order.halt.cause === "foreign_nonce";
  return (
    <ConfirmDialog
      {...words}
      onDone={onDone}
      onClose={onClose}
      description={explained}
      isDanger={danger}
      reason
      ready={accepted !== null}
      mutation={give}
    >
      {order.what === "halt" && <HaltEffect kind={order.kind} scope={order.key} />}
      {asksUnread && (
        <TextField
          label={t.acceptUnread.label}
          hint={t.acceptUnread.hint}
          error={accepted === null ? t.acceptUnread.wrong : undefined}
          value={unread}
          onChange={({ target }) => setUnread(target.value)}
        />
      )}
    </ConfirmDialog>
  );
}
