import type { Metadata } from "next";
import { LinkButton } from "../../../_components/controls/button.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../../_trpc/page.ts";
import { ApiKeys } from "./api-keys.tsx";
import { CallbackSecret } from "./callback-secret.tsx";

export const metadata: Metadata = { title: "API keys" };

export default async function Keys() {
  const { partnerId } = await requirePerson();
  return await shown(
    <>
      <PageHeader title="API keys" actions={<LinkButton href="/docs/signing">How to sign</LinkButton>}>
        {partnerId === null && <span className="muted">The operator’s own; a partner’s are on its page</span>}
      </PageHeader>
      <ApiKeys partnerId={partnerId} />
      {partnerId !== null && <CallbackSecret partnerId={partnerId} />}
    </>,
    read(trpc.developers.keys.queryOptions({ partner_id: partnerId })),
    partnerId !== null && read(trpc.developers.callbackSecret.queryOptions({ partner_id: partnerId })),
  );
}
