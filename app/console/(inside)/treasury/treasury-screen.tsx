"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { oneOf } from "../../_components/lists/address-params.ts";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { ChainBoard } from "./chain-board.tsx";
import { Halts } from "./halts.tsx";
import { Held } from "./held.tsx";
import type { Order } from "./order-dialog.tsx";
import { Reviews } from "./reviews.tsx";
import { TREASURY_SCREEN } from "./words.ts";

const TabWaiting = () => <Skeleton rows={6} />;
const Books = lazyComponent(() => import("./books.tsx").then((loaded) => loaded.Books), TabWaiting);
const Limits = lazyComponent(() => import("./limits.tsx").then((loaded) => loaded.Limits), TabWaiting);
const Suspense = lazyComponent(() => import("./suspense.tsx").then((loaded) => loaded.Suspense), TabWaiting);
const Withdrawals = lazyComponent(() => import("./withdrawals.tsx").then((loaded) => loaded.Withdrawals), TabWaiting);
const OrderDialog = lazyComponent(() => import("./order-dialog.tsx").then(({ OrderDialog: Loaded }) => Loaded));

const TABS = ["wallets", "limits", "withdrawals", "suspense", "books"] as const;
const PARAMS = { tab: oneOf(TABS, "wallets") };

const MOVES = ["transfer.", "wallet.", "lane.", "proposal.", "settlement.confirmed", "settlement.executed", "settlement.failed"];

/** The service's own wallets: their balances and obligations, every nonce in flight, and an admin's orders. */
export function TreasuryScreen({ mayOrder }: { mayOrder: boolean }) {
  const t = useTranslations(TREASURY_SCREEN);
  const trpc = useTRPC();
  const [{ tab }, set] = useAddressParams(PARAMS, "replace");
  const [order, setOrder] = useState<Order | null>(null);
  const board = useQuery(trpc.treasury.board.queryOptions(undefined, { refetchInterval: 5_000 }));
  const reload = useRefresh(trpc.treasury.board.queryKey());
  useLiveChanges(({ action }) => MOVES.some((prefix) => action.startsWith(prefix)), reload);
  const give = mayOrder ? setOrder : null;
  return (
    <>
      <PageHeader title={t.treasury} />
      <QueryBoundary of={board}>
        {({ halts, reviews, chains, in_suspense: inSuspense, now }) => (
          <>
            <Halts halts={halts} onOrder={give} />
            <Held mayDecide={mayOrder} />
            <Reviews reviews={reviews} mayDecide={mayOrder} onDecided={reload} />
            <Tabs
              label={t.tabs}
              value={tab}
              onChange={(next) => set({ tab: TABS.find((each) => each === next) ?? null })}
              tabs={[
                {
                  value: "wallets",
                  label: t.wallets,
                  content: (
                    <>
                      {chains.length === 0 && <Empty title={t.none} more={t.noneMore} />}
                      {chains.map((chain) => (
                        <ChainBoard key={chain.chain} chain={chain} halts={halts} now={now} onOrder={give} />
                      ))}
                    </>
                  ),
                },
                { value: "limits", label: t.limits, content: <Limits halts={halts} onOrder={give} /> },
                { value: "withdrawals", label: t.withdrawals, content: <Withdrawals mayOrder={mayOrder} /> },
                { value: "suspense", label: t.suspense, count: inSuspense, content: <Suspense mayOrder={mayOrder} /> },
                { value: "books", label: t.books, content: <Books mayOrder={mayOrder} /> },
              ]}
            />
          </>
        )}
      </QueryBoundary>
      {order && <OrderDialog order={order} onClose={() => setOrder(null)} onGiven={reload} />}
    </>
  );
}
