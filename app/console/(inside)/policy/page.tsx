import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { PolicyScreen } from "./policy-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function PolicyPage() {
  const { role } = await requireOperator();
  return await shown(<PolicyScreen mayChange={role === "admin"} />, read(trpc.approvalPolicy.read.queryOptions()));
}
