import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../_components/controls/link.tsx";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import type { HeldPayment, HoldOrder } from "./answers.ts";
import { CHECK_WORDS, HELD } from "./held-words.ts";
import { HoldButtons, HoldDialog } from "./hold-buttons.tsx";

/** Payments held by a check until an admin releases or refuses them. Hidden when there are none. */
export function Held({ mayDecide }: { mayDecide: boolean }) {
  const [t, checks] = [useTranslations(HELD), useTranslations(CHECK_WORDS)];
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
        <section className="note reviews" data-kind="warning" aria-label={t.label}>
          <h2>{t.title(total)}</h2>
          <ul>
            {payments.map((payment) => (
              <li key={payment.id} className="card-line">
                <div className="review-words">
                  <p className="review-what">
                    <Trans
                      sentence={t.line(payment.partner_name)}
                      amount={<Money amount={payment.amount} currency={payment.currency} />}
                      recipient={<Id value={payment.recipient} what={t.recipient} copy={false} />}
                    />
                  </p>
                  <p>
                    <Trans sentence={t.cause} check={checks[payment.check] ?? payment.check} reason={<Served>{payment.reason}</Served>} />
                  </p>
                  <p>
                    <Trans sentence={t.since} time={<Time at={payment.held_at} />} owner={<OwnerLink payment={payment} />} />
                  </p>
                </div>
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
  const t = useTranslations(HELD);
  if (purpose === "topup") return <Link href={`/console/fiat/topups/${id}`}>{t.theTopUp}</Link>;
  if (purpose === "settlement") return <Link href={`/console/settlements/${id}`}>{t.theSettlement}</Link>;
  if (purpose === "treasury_withdrawal") return <Link href="/console/treasury?tab=withdrawals">{t.theTreasuryWithdrawal}</Link>;
  return <Link href={`/console/fiat/withdrawals/${id}`}>{purpose === "return" ? t.theReturn : t.theWithdrawal}</Link>;
}
