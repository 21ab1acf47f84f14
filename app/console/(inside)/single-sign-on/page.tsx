import { notFound } from "next/navigation";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { ProvidersScreen } from "./providers-screen.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function SingleSignOn() {
  const { role, partnerId, userId } = await requirePerson();
  if (role !== "admin" && role !== "owner") notFound();
  return await shown(
    <ProvidersScreen side={partnerId === null ? "operator" : "partner"} self={userId} />,
    read(trpc.identity.list.queryOptions()),
  );
}
