import type { Metadata } from "next";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requireOperator } from "../../_trpc/session.ts";
import { InstallationFacts } from "./installation-facts.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Settings() {
  await requireOperator();
  await serverQueries().prefetchQuery(trpc.settings.read.queryOptions());
  return (
    <>
      <PageHeader title="Settings">
        <span className="muted">Set where the service is installed; shown here to be read</span>
      </PageHeader>
      <Hydrate>
        <InstallationFacts />
      </Hydrate>
    </>
  );
}
