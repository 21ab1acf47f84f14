import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled, wordsOf } from "../../_words/server.ts";
import { InstallationFacts } from "./installation-facts.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Settings() {
  await requireOperator();
  const says = await wordsOf(PAGE);
  return await shown(
    <>
      <PageHeader title={says.title}>
        <span className="muted">{says.lead}</span>
      </PageHeader>
      <InstallationFacts />
    </>,
    read(trpc.settings.read.queryOptions()),
  );
}
