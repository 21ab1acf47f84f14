import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { HeldPayment, HoldOrder } from "./answers.ts";
import { HELD } from "./held-words.ts";
import { HoldButtons, HoldDialog } from "./hold-buttons.tsx";

/** Payments that a limit or a screening holds, until an admin releases or refuses them. Nothing is shown where there are none. */
export function Held({ mayDecide }: { mayDecide: boolean }) {
  const says = useWords(HELD);
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
        <section className="note reviews" data-kind="warning" aria-label={says.label}>
          <h2>{says.title(total)}</h2>
          <ul>
            {payments.map((payment) => (
              <li key={payment.id} className="card-line">
                <span>
                  <Told
                    sentence={says.line(payment.partner_name)}
                    amount={<Money amount={payment.amount} currency={payment.currency} />}
                    recipient={<Id value={payment.recipient} what={says.recipient} copy={false} />}
                    check={says.checks[payment.check] ?? payment.check}
                    reason={<Served>{payment.reason}</Served>}
                  />{" "}
                  <span className="muted">
                    <Told sentence={says.since} time={<Time at={payment.held_at} />} owner={<OwnerLink payment={payment} />} />
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
  const says = useWords(HELD);
  if (purpose === "topup") return <Link href={`/console/fiat/topups/${id}`}>{says.theTopUp}</Link>;
  if (purpose === "settlement") return <Link href={`/console/settlements/${id}`}>{says.theSettlement}</Link>;
  return <Link href={`/console/fiat/withdrawals/${id}`}>{purpose === "return" ? says.theReturn : says.theWithdrawal}</Link>;
}
