import { useQuery } from "@tanstack/react-query";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { Data, Trans } from "../../_words/trans.tsx";
import { useTranslations } from "../../_words/words.ts";
import { UNCLEAR_ORDERS } from "./words.ts";

const LOOK_EVERY_MS = 15_000;

/** Ambiguous or late-paid orders: each waits for an operator. Hidden when there are none. */
export function UnclearOrders() {
  const t = useTranslations(UNCLEAR_ORDERS);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.fiat.ambiguous.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS }));
  if (!data || data.length === 0) return null;
  return (
    <Section title={t.title}>
      <ul className="witnesses">
        {data.map(({ id, kind, partner, amount, currency, since, reason }) => (
          <li key={id}>
            <Trans
              sentence={t.line}
              order={
                <Id
                  value={id}
                  what={kind === "withdrawal" ? t.withdrawalNoun : t.topUpNoun}
                  href={`/console/fiat/${kind === "withdrawal" ? "withdrawals" : "topups"}/${id}`}
                />
              }
              partner={<Data>{partner}</Data>}
              amount={<Money amount={amount} currency={currency} />}
              since={<Time at={since} />}
              reason={<Served>{reason}</Served>}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
