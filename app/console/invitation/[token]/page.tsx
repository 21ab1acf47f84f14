import type { Metadata } from "next";
import Link from "next/link";
import { ConsoleOutside } from "../../_components/frame/outside.tsx";
import { requestContext, serverQueries, trpc } from "../../_trpc/page.ts";
import { AcceptForm } from "./accept-form.tsx";

/** The address carries the link's secret: it is told to nobody that the page leads to. */
export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

/** For who was given a link. It says no more of a link that leads nowhere than that. */
export default async function Invitation({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { settings } = await requestContext();
  const invitation = await serverQueries()
    .fetchQuery(trpc.people.invitation.queryOptions({ token }))
    .catch(() => null);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          {settings.brand}
          {settings.mode === "sandbox" && <span className="environment">Sandbox</span>}
        </p>
        {invitation === null ? (
          <>
            <h1>This link leads nowhere</h1>
            <p>It was used, was withdrawn or has run out. Ask whoever invited you for a new one.</p>
            <p className="sign-in-more">
              You have a password already? <Link href="/console/sign-in">Sign in</Link>.
            </p>
          </>
        ) : (
          <>
            <h1>Welcome</h1>
            <p className="enrol-why">
              {invitation.invited_by} invites you as {invitation.role} of {invitation.partner?.name ?? settings.brand}.
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
