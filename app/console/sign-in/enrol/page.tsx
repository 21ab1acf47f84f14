import { redirect } from "next/navigation";
import { mustEnrolNow, requestContext } from "../../_trpc/page.ts";
import { titled, translationsOf } from "../../_words/server.ts";
import { SHARED } from "../../_words/shared.ts";
import { Data } from "../../_words/words.ts";
import { ROLES } from "../../(inside)/people/role-words.ts";
import { ENROL, PAGE } from "../words.ts";
import { EnrolFirst } from "./enrol-first.tsx";

export const generateMetadata = titled({ title: SHARED.setUpTwoFactors });

/** The only page for users who must enrol a second factor first. */
export default async function Enrol() {
  const { holder, settings } = await requestContext();
  if (holder === null) redirect("/console/sign-in");
  if (!(await mustEnrolNow())) redirect("/console");
  const [t, outside, roles] = await Promise.all([translationsOf(ENROL), translationsOf(PAGE), translationsOf(ROLES)]);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box" data-width="wide">
        <p className="sign-in-brand">
          <Data>{settings.brand}</Data>
          {settings.mode === "sandbox" && <span className="environment">{outside.sandbox}</span>}
        </p>
        <h1>{t.setUpTwoFactors}</h1>
        <p className="enrol-why">{t.why(holder.name, roles[holder.role])}</p>
        <EnrolFirst />
      </div>
    </main>
  );
}
