import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requireOperator, shown, trpc } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { InstallationFacts } from "./installation-facts.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Settings() {
  await requireOperator();
  const t = await translationsOf(PAGE);
  return await shown(
    <>
      <PageHeader title={t.title}>
        <span className="muted">{t.lead}</span>
      </PageHeader>
      <InstallationFacts />
    </>,
    read(trpc.settings.read.queryOptions()),
  );
}
