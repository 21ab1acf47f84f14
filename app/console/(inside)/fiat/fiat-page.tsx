"use client";

import { useQuery } from "@tanstack/react-query";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { SHARED } from "../../_words/shared.ts";
import { Data, Served, Trans, useTranslations } from "../../_words/words.ts";
import { Topups, Withdrawals } from "./orders.tsx";
import { PoolPart } from "./pool-part.tsx";
import { ORDERS, TABS } from "./search-params.ts";
import { UNCLEAR_ORDERS } from "./words.ts";

const OrderDialog = lazyComponent(() => import("./order-dialog.tsx").then(({ OrderDialog: Loaded }) => Loaded));

/** `playMoney`: the fiat provider is simulated. */
type Props = { isOperator: boolean; mayMove: boolean; mayFund: boolean; playMoney: boolean };

/** Fiat in and out: the pools' balances, and every order that changes them. */
export function FiatPage({ isOperator, mayMove, ...pool }: Props) {
  const t = useTranslations(SHARED);
  const [params, set] = useAddressParams(ORDERS.params);
  const tab = params.tab ?? "pool";
  const close = () => set({ new: null, member: null });
  const orders = { params, set, isOperator, mayMove };
  return (
    <>
      <PageHeader title={t.fiat} />
      {isOperator && <UnclearOrders />}
      <Tabs
        label={t.fiat}
        value={tab}
        onChange={(value) => set({ ...ORDERS.noFilter, tab: TABS.find((each) => each === value) ?? null })}
        tabs={[
          { value: "pool", label: t.pool, content: tab === "pool" && <PoolPart isOperator={isOperator} {...pool} /> },
          { value: "withdrawals", label: t.withdrawals, content: tab === "withdrawals" && <Withdrawals {...orders} /> },
          { value: "topups", label: t.topUps, content: tab === "topups" && <Topups {...orders} /> },
        ]}
      />
      {mayMove && params.new && <OrderDialog kind={params.new} member={params.member} onClose={close} />}
    </>
  );
}

const LOOK_EVERY_MS = 15_000;

/** Ambiguous or late-paid orders: each waits for an operator. Hidden when there are none. */
function UnclearOrders() {
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
