import type { Metadata } from "next";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { InstallationFacts } from "./installation-facts.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Settings() {
  await requireOperator();
  return await shown(
    <>
      <PageHeader title="Settings">
        <span className="muted">Set where the service is installed; shown here to be read</span>
      </PageHeader>
      <InstallationFacts />
    </>,
    read(trpc.settings.read.queryOptions()),
  );
}
