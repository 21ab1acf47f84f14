import type { Metadata } from "next";
import { Link } from "../../_components/controls/link.tsx";
import { ConsoleOutside } from "../../_components/frame/outside.tsx";
import { requestContext, serverQueries, trpc } from "../../_trpc/page.ts";
import { translationsOf } from "../../_words/server.ts";
import { Data, Trans } from "../../_words/words.ts";
import { ROLES } from "../../(inside)/people/role-words.ts";
import { AcceptForm } from "./accept-form.tsx";
import { PAGE } from "./words.ts";

/** The URL contains the link's secret, so no request from this page sends it as referrer. */
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await translationsOf(PAGE)).title, referrer: "no-referrer" };
}

/** For a user with an invitation link. An invalid link gets no further detail. */
export default async function Invitation({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { settings } = await requestContext();
  const [t, roles] = await Promise.all([translationsOf(PAGE), translationsOf(ROLES)]);
  const invitation = await serverQueries()
    .fetchQuery(trpc.people.invitation.queryOptions({ token }))
    .catch(() => null);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          <Data>{settings.brand}</Data>
          {settings.mode === "sandbox" && <span className="environment">{t.sandbox}</span>}
        </p>
        {invitation === null ? (
          <>
            <h1>{t.invalid}</h1>
            <p>{t.invalidMore}</p>
            <p className="sign-in-more">
              <Trans sentence={t.signIn} link={<Link href="/console/sign-in">{t.signInLink}</Link>} />
            </p>
          </>
        ) : (
          <>
            <h1>{t.welcome}</h1>
            <p className="enrol-why">
              {t.invites(invitation.invited_by, roles[invitation.role], invitation.partner?.name ?? settings.brand)}
            </p>
            <ConsoleOutside>
              <AcceptForm token={token} email={invitation.email} />
            </ConsoleOutside>
          </>
        )}
      </div>
    </main>
  );
}
