import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./_design/base.css";
import "./_design/shapes.css";
import "./_design/controls.css";
import "./_design/floating.css";
import "./_design/tables.css";
import "./_design/parts.css";
import "./_design/frame.css";
import "./_design/screens.css";
import "./_design/settlements.css";
import "./_design/palette.css";
import "./_design/approvals.css";
import "./_design/decision.css";
import "./_design/callbacks.css";
import "./_design/settlement.css";
import "./_design/overview.css";
import "./_design/rates.css";
import "./_design/people.css";
import "./_design/developers.css";
import "../_signature/signature.css";
import "./_design/operators.css";
import "./_design/fiat.css";
import "./_design/policy.css";
import "./_design/batches.css";
import "./_design/runbooks.css";
import { PreferencesProvider } from "./_components/frame/preferences.tsx";
import { preferencesKept, translationsOf } from "./_words/server.ts";
import { Spoken } from "./_words/spoken.tsx";
import { CONSOLE } from "./words.ts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await translationsOf(CONSOLE);
  return { title: { default: t.title, template: `%s · ${t.title}` }, robots: { index: false } };
}

/** Around every page of the console, including those before the sign-in: applies the user's preferences. */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const preferences = await preferencesKept();
  return (
    <div className="console" {...(preferences.language === "fr" && { lang: "fr" })}>
      <PreferencesProvider initial={preferences}>
        <Spoken>{children}</Spoken>
      </PreferencesProvider>
    </div>
  );
}
