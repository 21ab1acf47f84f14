import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { mustEnrolNow, requestContext } from "../../_trpc/page.ts";
import { EnrolFirst } from "./enrol-first.tsx";

export const metadata: Metadata = { title: "Set up two-factor sign-in" };

/** The one page for people who may do nothing else yet. */
export default async function Enrol() {
  const { holder, settings } = await requestContext();
  if (holder === null) redirect("/console/sign-in");
  if (!(await mustEnrolNow())) redirect("/console");
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box" data-width="wide">
        <p className="sign-in-brand">
          {settings.brand}
          {settings.mode === "sandbox" && <span className="environment">Sandbox</span>}
        </p>
        <h1>Set up two-factor sign-in</h1>
        <p className="enrol-why">
          {holder.name}, as {holder.role} you decide on settlements. That takes more than a password.
        </p>
        <EnrolFirst />
      </div>
    </main>
  );
}
