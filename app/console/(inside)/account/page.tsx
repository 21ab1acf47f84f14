import type { Metadata } from "next";
import { PageHeader } from "../../_components/frame/page-header.tsx";
import { Hydrate } from "../../_trpc/hydrate.tsx";
import { serverQueries, trpc } from "../../_trpc/server.ts";
import { requirePerson } from "../../_trpc/session.ts";
import { PreferenceChoices } from "./preference-choices.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactors } from "./two-factors.tsx";

export const metadata: Metadata = { title: "Account" };

export default async function Account() {
  const { name, email, role, partnerName, viewedBy } = await requirePerson();
  await Promise.all([
    serverQueries().prefetchQuery(trpc.session.list.queryOptions()),
    serverQueries().prefetchQuery(trpc.account.security.queryOptions()),
  ]);
  return (
    <>
      <PageHeader title="Account" />
      <Hydrate>
        {viewedBy === null && <Profile name={name} email={email} role={role} side={partnerName ?? "Operator"} />}
        {viewedBy === null && <TwoFactors />}
        <PreferenceChoices />
        <Sessions />
      </Hydrate>
    </>
  );
}
