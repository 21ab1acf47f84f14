import type { SearchParams } from "../../_components/lists/address-params.ts";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled } from "../../_words/server.ts";
import { AuditLog } from "./audit-log.tsx";
import { AUDIT, pageOf } from "./search-params.ts";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

export default async function Audit({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = AUDIT.load(await searchParams);
  return await shown(
    <AuditLog isOperator={partnerId === null} />,
    read(trpc.audit.list.queryOptions(pageOf(params))),
    read(trpc.audit.choices.queryOptions()),
    ...(partnerId === null ? [read(trpc.audit.state.queryOptions())] : []),
  );
}
