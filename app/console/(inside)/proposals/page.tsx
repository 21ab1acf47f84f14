import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { Proposals } from "./proposals.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function ProposalsPage() {
  const { role } = await requireOperator();
  return await shown(<Proposals mayDecide={role === "admin"} />, read(trpc.proposals.list.queryOptions()));
}
