import type { Metadata } from "next";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { PreferenceChoices } from "./preference-choices.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactors } from "./two-factors.tsx";

export const metadata: Metadata = { title: "Account" };

export default async function Account() {
  const { name, email, role, partnerName, viewedBy } = await requirePerson();
  return await shown(
    <>
      <PageHeader title="Account" />
      {viewedBy === null && <Profile name={name} email={email} role={role} side={partnerName ?? "Operator"} />}
      {viewedBy === null && <TwoFactors />}
      <PreferenceChoices />
      <Sessions />
    </>,
    read(trpc.session.list.queryOptions()),
    read(trpc.account.security.queryOptions()),
  );
}
