import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { TreasuryScreen } from "./treasury-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Treasury() {
  const { role } = await requireOperator();
  return await shown(<TreasuryScreen mayOrder={role === "admin"} />, read(trpc.treasury.board.queryOptions()));
}
