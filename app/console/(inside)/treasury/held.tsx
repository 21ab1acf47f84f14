import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useLiveChanges, useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import type { HeldPayment } from "./answers.ts";

/** Payments that a limit or a screening holds, until an admin releases or refuses them. Nothing is shown where there are none. */
export function Held({ mayDecide }: { mayDecide: boolean }) {
  const trpc = useTRPC();
  const options = trpc.exposure.held.queryOptions(undefined, { refetchInterval: 10_000 });
  const held = useQuery(options);
  const [order, setOrder] = useState<HoldOrder | null>(null);
  const reload = useRefresh(options.queryKey);
  useLiveChanges(({ action }) => action.startsWith("payment."), reload);
  const { held: payments = [], total = 0 } = held.data ?? {};
  return (
    <>
      {payments.length > 0 && (
        <section className="note reviews" data-kind="warning" aria-label="Held payments">
          <h2>{total === 1 ? "1 payment is held" : `${total} payments are held`}</h2>
          <ul>
            {payments.map((payment) => (
              <li key={payment.id} className="card-line">
                <span>
                  <Money amount={payment.amount} currency={payment.currency} /> to{" "}
                  <Id value={payment.recipient} what="recipient" copy={false} /> for {payment.partner_name ?? "nobody"}, by a{" "}
                  {payment.check}: {payment.reason}{" "}
                  <span className="muted">
                    Since <Time at={payment.held_at} />. <OwnerLink payment={payment} />
                  </span>
                </span>
                {mayDecide && <HoldButtons payment={payment} onOrder={setOrder} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {order && <HoldDialog order={order} onClose={() => setOrder(null)} onDone={reload} />}
    </>
  );
}

function OwnerLink({ payment: { purpose, owner_id: id } }: { payment: HeldPayment }) {
  const href = purpose === "topup" ? `/console/fiat/topups/${id}` : `/console/settlements/${id}`;
  return <Link href={href}>{purpose === "topup" ? "The top-up" : "The settlement"}</Link>;
}

type Held = { purpose: string; owner_id: string };
export type HoldOrder = { what: "release" | "refuse"; payment: Held };

/** Release or refuse, of one held payment. */
export function HoldButtons({ payment, onOrder }: { payment: Held; onOrder: (order: HoldOrder) => void }) {
  const named = <span className="sr-only"> {payment.owner_id}</span>;
  return (
    <span className="wallet-buttons">
      <Button look="danger" onClick={() => onOrder({ what: "refuse", payment })}>
        Refuse{named}
      </Button>
      <Button onClick={() => onOrder({ what: "release", payment })}>Release{named}</Button>
    </span>
  );
}

const WORDS = {
  release: {
    title: "Release the payment",
    description: "All that holds it now lets it go: it is signed as soon as there is money for it, and for the same it is not held again.",
    button: "Release it",
    toast: "The payment is released",
    reason: true,
  },
  refuse: {
    title: "Refuse the payment",
    description: "Nothing was signed. It fails for good, and the partner is told.",
    button: "Refuse it",
    toast: "The payment is refused",
    reason: { hint: "At least eight characters; the partner reads it", most: 500 },
  },
} as const;

type DialogProps = { order: HoldOrder; onClose: () => void; onDone: () => void };

export function HoldDialog({ order: { what, payment }, onClose, onDone }: DialogProps) {
  const client = useTRPCClient();
  const toast = useToast();
  const { toast: told, ...words } = WORDS[what];
  const decide = async (reason: string) => {
    const input = {
      purpose: payment.purpose === "topup" ? ("topup" as const) : ("settlement" as const),
      owner_id: payment.owner_id,
      reason,
    };
    await (what === "release" ? client.exposure.release.mutate(input) : client.exposure.refuse.mutate(input));
  };
  const done = () => {
    toast(told);
    onDone();
  };
  return <DeedDialog {...words} isDanger={what === "refuse"} cancel="Leave it" deed={decide} onDone={done} onClose={onClose} />;
}
