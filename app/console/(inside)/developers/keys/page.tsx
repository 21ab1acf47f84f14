import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../../_trpc/page.ts";
import { titled, translationsOf } from "../../../_words/server.ts";
import { ApiKeys } from "./api-keys.tsx";
import { CallbackSecret } from "./callback-secret.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Keys() {
  const { partnerId } = await requirePerson();
  const t = await translationsOf(PAGE);
  return await shown(
    <>
      <PageHeader title={t.title} actions={<LinkButton href="/docs/signing">{t.howToSign}</LinkButton>}>
        {partnerId === null && <span className="muted">{t.operators}</span>}
      </PageHeader>
      <ApiKeys partnerId={partnerId} />
      {partnerId !== null && <CallbackSecret partnerId={partnerId} />}
    </>,
    read(trpc.developers.keys.queryOptions({ partner_id: partnerId })),
    partnerId !== null && read(trpc.developers.callbackSecret.queryOptions({ partner_id: partnerId })),
  );
}
