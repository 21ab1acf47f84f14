import type { Metadata } from "next";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOperator } from "../../_trpc/session.ts";
import { TreasuryScreen } from "./treasury-screen.tsx";

export const metadata: Metadata = { title: "Treasury" };

export default async function Treasury() {
  const { role } = await requireOperator();
  await serverQueries().prefetchQuery(trpc.treasury.board.queryOptions());
  return (
    <Hydrate>
      <TreasuryScreen mayOrder={role === "admin"} />
    </Hydrate>
  );
}
