import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { requireOwner, serverQueries, trpc } from "../../../_trpc/page.ts";
import { titled, translationsOf } from "../../../_words/server.ts";
import { CallbackTester } from "./callback-tester.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Tester() {
  await requireOwner();
  const t = await translationsOf(PAGE);
  const { url } = await serverQueries().fetchQuery(trpc.developers.newestCallbackUrl.queryOptions());
  return (
    <>
      <PageHeader
        title={t.title}
        actions={
          <>
            <LinkButton href="/console/developers/receiver-check">{t.checkReceiver}</LinkButton>
            <LinkButton href="/docs/callbacks">{t.howToReceive}</LinkButton>
          </>
        }
      />
      <CallbackTester url={url ?? ""} />
    </>
  );
}
