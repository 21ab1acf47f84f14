import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import type { Halt, LaneEntry, Wallet } from "./answers.ts";

export type Order =
  | { what: "bump"; entry: LaneEntry }
  | { what: "cancel"; entry: LaneEntry }
  | { what: "halt"; kind: "wallet" | "chain" | "pair" | "all"; key: string; name: string }
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
      if (order.kind === "all")
        return {
          title: "Stop everything",
          explained:
            "Nothing is signed any more, on any chain and for nobody, until two people let it go on (in the sandbox one). What is signed is still looked after. What is confirmed waits, and nobody gets a quote.",
          button: "Stop everything",
          toast: "Everything is stopped",
          typed: "everything",
          danger: true,
        };
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
        typed: order.halt.lane_kind === "all" ? "everything" : order.halt.lane_key.slice(-6),
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

type Props = { order: Order; onClose: () => void; onGiven: () => void };

/** An order about the treasury: what it does in plain words, why, and a typed word against slips. */
export function OrderDialog({ order, onClose, onGiven }: Props) {
  const client = useTRPCClient();
  const toast = useToast();
  const { toast: done, danger, explained, ...words } = wordsOf(order);
  const give = async (reason: string): Promise<unknown> => {
    const { treasury } = client;
    if (order.what === "bump") return await treasury.bump.mutate({ transfer_id: order.entry.transfer_id, reason });
    if (order.what === "cancel") return await treasury.cancel.mutate({ transfer_id: order.entry.transfer_id, reason });
    if (order.what === "halt") return await treasury.halt.mutate({ lane_kind: order.kind, lane_key: order.key, reason });
    if (order.what === "lift") return await treasury.lift.mutate({ halt_id: order.halt.id, reason });
    return await treasury.walletState.mutate({ wallet_id: order.wallet.id, state: order.state, reason });
  };
  const onDone = () => {
    toast(done);
    onGiven();
  };
  return <DeedDialog {...words} description={explained} isDanger={danger} cancel="Leave it" reason deed={give} {...{ onDone, onClose }} />;
}
