import type { Metadata } from "next";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { TreasuryScreen } from "./treasury-screen.tsx";

export const metadata: Metadata = { title: "Treasury" };

export default async function Treasury() {
  const { role } = await requireOperator();
  return await shown(<TreasuryScreen mayOrder={role === "admin"} />, read(trpc.treasury.board.queryOptions()));
}
