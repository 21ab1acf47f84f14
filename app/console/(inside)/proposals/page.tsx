import type { Metadata } from "next";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { Proposals } from "./proposals.tsx";

export const metadata: Metadata = { title: "Proposals" };

export default async function ProposalsPage() {
  const { role } = await requireOperator();
  return await shown(<Proposals mayDecide={role === "admin"} />, read(trpc.proposals.list.queryOptions()));
}
