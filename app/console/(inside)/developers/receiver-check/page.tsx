import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { requireOwner, serverQueries, trpc } from "../../../_trpc/page.ts";
import { titled, translationsOf } from "../../../_words/server.ts";
import { ReceiverCheck } from "./receiver-check.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Page() {
  await requireOwner();
  const t = await translationsOf(PAGE);
  const { url } = await serverQueries().fetchQuery(trpc.developers.newestCallbackUrl.queryOptions());
  return (
    <>
      <PageHeader
        title={t.title}
        within={{ href: "/console/developers/callback-tester", label: t.tester }}
        actions={<LinkButton href="/docs/certify">{t.whatIsChecked}</LinkButton>}
      />
      <ReceiverCheck url={url ?? ""} />
    </>
  );
}
