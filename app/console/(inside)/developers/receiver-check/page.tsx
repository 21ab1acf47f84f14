import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { requireOwner, serverQueries, trpc } from "../../../_trpc/page.ts";
import { titled, wordsOf } from "../../../_words/server.ts";
import { ReceiverCheck } from "./receiver-check.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Page() {
  await requireOwner();
  const says = await wordsOf(PAGE);
  const { url } = await serverQueries().fetchQuery(trpc.developers.newestCallbackUrl.queryOptions());
  return (
    <>
      <PageHeader
        title={says.title}
        within={{ href: "/console/developers/callback-tester", label: says.tester }}
        actions={<LinkButton href="/docs/certify">{says.whatIsChecked}</LinkButton>}
      />
      <ReceiverCheck url={url ?? ""} />
    </>
  );
}
