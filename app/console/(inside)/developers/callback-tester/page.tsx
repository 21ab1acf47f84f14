import type { Metadata } from "next";
import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { requireOwner, serverQueries, trpc } from "../../../_trpc/page.ts";
import { CallbackTester } from "./callback-tester.tsx";

export const metadata: Metadata = { title: "Callback tester" };

export default async function Tester() {
  await requireOwner();
  const { url } = await serverQueries().fetchQuery(trpc.developers.newestCallbackUrl.queryOptions());
  return (
    <>
      <PageHeader title="Callback tester" actions={<LinkButton href="/docs/callbacks">How to receive</LinkButton>} />
      <CallbackTester url={url ?? ""} />
    </>
  );
}
