"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Books } from "./books.tsx";
import { ChainBoard } from "./chain-board.tsx";
import { Halts } from "./halts.tsx";
import { Held } from "./held.tsx";
import { Limits } from "./limits.tsx";
import { type Order, OrderDialog } from "./order-dialog.tsx";
import { Reviews } from "./reviews.tsx";

const MOVES = ["transfer.", "wallet.", "lane.", "proposal.", "settlement.confirmed", "settlement.executed", "settlement.failed"];

/** The service's own wallets: what they hold and owe, every nonce on its way, and an admin's orders. */
export function TreasuryScreen({ mayOrder }: { mayOrder: boolean }) {
  const trpc = useTRPC();
  const [tab, setTab] = useQueryState("tab", { defaultValue: "wallets" });
  const [order, setOrder] = useState<Order | null>(null);
  const board = useQuery(trpc.treasury.board.queryOptions(undefined, { refetchInterval: 5_000 }));
  const reload = useRefresh(trpc.treasury.board.queryKey());
  useLiveChanges(({ action }) => MOVES.some((prefix) => action.startsWith(prefix)), reload);
  const give = mayOrder ? setOrder : null;
  return (
    <>
      <PageHeader title="Treasury" />
      <Answered of={board}>
        {({ halts, reviews, chains, now }) => (
          <>
            <Halts halts={halts} onOrder={give} />
            <Held mayDecide={mayOrder} />
            <Reviews reviews={reviews} mayDecide={mayOrder} onDecided={reload} />
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
                      {chains.length === 0 && (
                        <Empty title="No chain is configured">
                          <p>Name one with its nodes and a signer in the configuration, and start the worker again.</p>
                        </Empty>
                      )}
                      {chains.map((chain) => (
                        <ChainBoard key={chain.chain} chain={chain} halts={halts} now={now} onOrder={give} />
                      ))}
                    </>
                  ),
                },
                { value: "limits", label: "Limits", content: <Limits halts={halts} onOrder={give} /> },
                { value: "books", label: "Books", content: <Books /> },
              ]}
            />
          </>
        )}
      </Answered>
      {order && <OrderDialog order={order} onClose={() => setOrder(null)} onGiven={reload} />}
    </>
  );
}
