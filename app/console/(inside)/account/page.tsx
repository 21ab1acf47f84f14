import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { read, requirePerson, shown, trpc } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { Identities } from "./identities.tsx";
import { PreferenceChoices } from "./preference-choices.tsx";
import { Profile } from "./profile.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoFactors } from "./two-factors.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

type AccountProps = { searchParams: Promise<{ error?: string | string[] }> };

export default async function Account({ searchParams }: AccountProps) {
  const { name, email, role, partnerName, viewedBy } = await requirePerson();
  const t = await translationsOf(PAGE);
  const { error } = await searchParams;
  return await shown(
    <>
      <PageHeader title={t.title} />
      {typeof error === "string" && (
        <p className="form-trouble" role="alert">
          {error === "provider_away" ? t.providerAway : t.providerRefused}
        </p>
      )}
      {viewedBy === null && <Profile name={name} email={email} role={role} side={partnerName ?? t.operator} />}
      {viewedBy === null && <TwoFactors />}
      {viewedBy === null && <Identities />}
      <PreferenceChoices />
      <Sessions />
    </>,
    read(trpc.session.list.queryOptions()),
    read(trpc.account.security.queryOptions()),
    read(trpc.identity.own.queryOptions()),
  );
}
