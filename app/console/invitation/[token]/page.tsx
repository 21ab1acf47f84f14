import type { Metadata } from "next";
import Link from "next/link";
import { ConsoleOutside } from "../../_components/frame/outside.tsx";
import { requestContext, serverQueries, trpc } from "../../_trpc/page.ts";
import { wordsOf } from "../../_words/server.ts";
import { Data, Told } from "../../_words/told.tsx";
import { ROLES } from "../../(inside)/people/words.ts";
import { AcceptForm } from "./accept-form.tsx";
import { PAGE } from "./words.ts";

/** The address carries the link's secret: it is told to nobody that the page leads to. */
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await wordsOf(PAGE)).title, referrer: "no-referrer" };
}

/** For who was given a link. It says no more of a link that leads nowhere than that. */
export default async function Invitation({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { settings } = await requestContext();
  const [says, roles] = await Promise.all([wordsOf(PAGE), wordsOf(ROLES)]);
  const invitation = await serverQueries()
    .fetchQuery(trpc.people.invitation.queryOptions({ token }))
    .catch(() => null);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          <Data>{settings.brand}</Data>
          {settings.mode === "sandbox" && <span className="environment">{says.sandbox}</span>}
        </p>
        {invitation === null ? (
          <>
            <h1>{says.nowhere}</h1>
            <p>{says.nowhereMore}</p>
            <p className="sign-in-more">
              <Told sentence={says.signIn} link={<Link href="/console/sign-in">{says.signInLink}</Link>} />
            </p>
          </>
        ) : (
          <>
            <h1>{says.welcome}</h1>
            <p className="enrol-why">
              {says.invites(invitation.invited_by, roles[invitation.role], invitation.partner?.name ?? settings.brand)}
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
