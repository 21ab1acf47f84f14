import type { Metadata } from "next";
import { PageHeader } from "../../_components/page-header.tsx";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { Sessions } from "./sessions.tsx";

export const metadata: Metadata = { title: "Account" };

export default async function Account() {
  const { name, email } = await requirePerson();
  await serverQueries().prefetchQuery(trpc.session.list.queryOptions());
  return (
    <>
      <PageHeader title="Account">
        <span className="muted">
          {name}, {email}
        </span>
      </PageHeader>
      <Hydrate>
        <Sessions />
      </Hydrate>
    </>
  );
}
