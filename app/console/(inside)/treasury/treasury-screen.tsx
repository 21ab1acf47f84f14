"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { useLiveChanges } from "../../_components/frame/live.tsx";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { Books } from "./books.tsx";
import { ChainBoard } from "./chain-board.tsx";
import { Halts } from "./halts.tsx";
import { type Order, OrderDialog } from "./order-dialog.tsx";
import { Reviews } from "./reviews.tsx";

const MOVES = ["transfer.", "wallet.", "lane.", "proposal.", "settlement.confirmed", "settlement.executed", "settlement.failed"];

/** The service's own wallets: what they hold and owe, every nonce on its way, and an admin's orders. */
export function TreasuryScreen({ mayOrder }: { mayOrder: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [tab, setTab] = useQueryState("tab", { defaultValue: "wallets" });
  const [order, setOrder] = useState<Order | null>(null);
  const board = useQuery(trpc.treasury.board.queryOptions(undefined, { refetchInterval: 5_000 }));
  const reload = () => void queries.invalidateQueries({ queryKey: trpc.treasury.board.queryKey() });
  useLiveChanges(({ action }) => MOVES.some((prefix) => action.startsWith(prefix)), reload);
  const give = mayOrder ? setOrder : null;
  return (
    <>
      <PageHeader title="Treasury" />
      {board.isPending && <Skeleton />}
      {!board.data && board.error && <Trouble error={board.error} onRetry={() => void board.refetch()} />}
      {board.data && (
        <>
          {board.error && <Stale since={board.dataUpdatedAt} error={board.error} onRetry={() => void board.refetch()} />}
          <Halts halts={board.data.halts} onOrder={give} />
          <Reviews reviews={board.data.reviews} mayDecide={mayOrder} onDecided={reload} />
          <Tabs
            label="Parts of the treasury"
            value={tab}
            onChange={(next) => void setTab(next)}
            tabs={[
              {
                value: "wallets",
                label: "Wallets",
                content: (
                  <>
                    {board.data.chains.length === 0 && (
                      <Empty title="No chain is configured">
                        <p>Name one with its nodes and a signer in the configuration, and start the worker again.</p>
                      </Empty>
                    )}
                    {board.data.chains.map((chain) => (
                      <ChainBoard key={chain.chain} chain={chain} halts={board.data.halts} now={board.data.now} onOrder={give} />
                    ))}
                  </>
                ),
              },
              { value: "books", label: "Books", content: <Books /> },
            ]}
          />
        </>
      )}
      {order && <OrderDialog order={order} onClose={() => setOrder(null)} onGiven={reload} />}
    </>
  );
}
