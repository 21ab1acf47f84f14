"use client";

import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { useListParams } from "../../_components/lists/use-list-params.ts";
import { useTranslations } from "../../_words/words.ts";
import { Topups, Withdrawals } from "./orders.tsx";
import { PoolPart } from "./pool-part.tsx";
import { ORDERS, TABS } from "./search-params.ts";
import { UnclearOrders } from "./unclear-orders.tsx";
import { FIAT_PAGE } from "./words.ts";

const OrderDialog = lazyComponent(() => import("./order-dialog.tsx").then(({ OrderDialog: Loaded }) => Loaded));

/** `playMoney`: the fiat provider is simulated. */
type Props = { isOperator: boolean; mayMove: boolean; mayFund: boolean; playMoney: boolean };

/** Fiat in and out: the pools' balances, and every order that changes them. */
export function FiatPage({ isOperator, mayMove, ...pool }: Props) {
  const t = useTranslations(FIAT_PAGE);
  const [params, set] = useListParams(ORDERS);
  const tab = params.tab ?? "pool";
  const close = () => set({ new: null, member: null });
  const orders = { params, set, isOperator, mayMove };
  return (
    <>
      <PageHeader title={t.title} />
      {isOperator && <UnclearOrders />}
      <Tabs
        label={t.title}
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
