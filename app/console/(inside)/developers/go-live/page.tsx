import { notFound } from "next/navigation";
import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../../_trpc/page.ts";
import { titled, translationsOf } from "../../../_words/server.ts";
import { Checklist } from "./checklist.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function GoLive() {
  const { partnerId, role } = await requirePerson();
  if (partnerId === null) notFound();
  const t = await translationsOf(PAGE);
  return await shown(
    <>
      <PageHeader title={t.title} actions={<LinkButton href="/docs/go-live">{t.page}</LinkButton>}>
        <span className="muted">{t.lead}</span>
      </PageHeader>
      <Checklist isOwner={role === "owner"} />
    </>,
    read(trpc.developers.goLive.queryOptions()),
  );
}
