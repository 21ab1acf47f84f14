import { redirect } from "next/navigation";
import { consolePageOf } from "#domain/console-page.ts";
import { requestContext } from "../_trpc/page.ts";
import { titled, translationsOf } from "../_words/server.ts";
import { Data, Trans } from "../_words/trans.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

type SignInProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SignIn({ searchParams }: SignInProps) {
  const { next } = await searchParams;
  const target = consolePageOf(typeof next === "string" ? next : null);
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
