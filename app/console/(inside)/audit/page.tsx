import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { AuditLog } from "./audit-log.tsx";
import { AUDIT, pageOf } from "./search-params.ts";

export const metadata: Metadata = { title: "Audit log" };

export default async function Audit({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { partnerId } = await requirePerson();
  const params = await AUDIT.load(searchParams);
  const queries = serverQueries();
  await Promise.all([
    queries.prefetchQuery(trpc.audit.list.queryOptions(pageOf(params))),
    queries.prefetchQuery(trpc.audit.choices.queryOptions()),
    ...(partnerId === null ? [queries.prefetchQuery(trpc.audit.state.queryOptions())] : []),
  ]);
  return (
    <Hydrate>
      <AuditLog isOperator={partnerId === null} />
    </Hydrate>
  );
}
