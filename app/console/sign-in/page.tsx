import { redirect } from "next/navigation";
import { requestContext } from "../_trpc/page.ts";
import { titled, translationsOf } from "../_words/server.ts";
import { Data, Trans } from "../_words/trans.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

type SignInProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SignIn({ searchParams }: SignInProps) {
  const { next } = await searchParams;
  const target = safeTarget(typeof next === "string" ? next : "");
  const { holder, settings } = await requestContext();
  if (holder !== null) redirect(target);
  const t = await translationsOf(PAGE);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          <Data>{settings.brand}</Data>
          {settings.mode === "sandbox" && <span className="environment">{t.sandbox}</span>}
        </p>
        <h1>{t.title}</h1>
        <SignInForm target={target} />
        <p className="sign-in-more">
          <Trans sentence={t.docs} link={<a href="/docs">{t.documentation}</a>} />
        </p>
      </div>
    </main>
  );
}

/** Only pages of the console: a link to this page cannot send anybody elsewhere. */
function safeTarget(next: string): string {
  const base = "http://console";
  if (!URL.canParse(next, base)) return "/console";
  const { origin, pathname, search } = new URL(next, base);
  const isOurs = origin === base && (pathname === "/console" || pathname.startsWith("/console/")) && pathname !== "/console/sign-in";
  return isOurs ? pathname + search : "/console";
}
