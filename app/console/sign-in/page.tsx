import { redirect } from "next/navigation";
import { consolePageOf } from "#domain/console-page.ts";
import { requestContext, serverQueries, trpc } from "../_trpc/page.ts";
import { titled, translationsOf } from "../_words/server.ts";
import { Data, Trans } from "../_words/words.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { PAGE } from "./words.ts";

export const generateMetadata = titled(PAGE);

type SignInProps = { searchParams: Promise<Partial<Record<"next" | "company" | "error", string | string[]>>> };

const one = (text: string | string[] | undefined) => (typeof text === "string" ? text : null);

export default async function SignIn({ searchParams }: SignInProps) {
  const { next, company, error } = await searchParams;
  const target = consolePageOf(one(next));
  const { holder, settings } = await requestContext();
  // A person who was signed in before the provider's answer stays signed in, and reads there what became of it.
  if (holder !== null) redirect(one(error) === null ? target : `/console/account?${new URLSearchParams({ error: one(error) ?? "" })}`);
  const t = await translationsOf(PAGE);
  const choices = await choicesFor(one(company));
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          <Data>{settings.brand}</Data>
          {settings.mode === "sandbox" && <span className="environment">{t.sandbox}</span>}
        </p>
        <h1>{t.title}</h1>
        <SignInForm target={target} refused={one(error)} />
        {choices.length > 0 && (
          <nav className="sign-in-providers" aria-label={t.companies}>
            <p className="sign-in-or">{t.or}</p>
            {choices.map(({ id, name }) => (
              <a key={id} className="button" href={`/api/oidc/start/${id}?${new URLSearchParams({ next: target })}`}>
                <span>
                  <Trans sentence={t.continueWith} name={<Data>{name}</Data>} />
                </span>
              </a>
            ))}
          </nav>
        )}
        <p className="sign-in-more">
          <Trans sentence={t.docs} link={<a href="/docs">{t.documentation}</a>} />
          <br />
          <Trans sentence={t.status} link={<a href="/status">{t.statusPage}</a>} />
        </p>
      </div>
    </main>
  );
}

/** The page is there without them: a password needs no provider. */
async function choicesFor(company: string | null) {
  const input = company === null ? {} : { company };
  return await serverQueries()
    .fetchQuery(trpc.identity.choices.queryOptions(input))
    .catch(() => []);
}
