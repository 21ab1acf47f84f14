import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { requestContext } from "../_trpc/page.ts";
import { SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in" };

type SignInProps = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SignIn({ searchParams }: SignInProps) {
  const { next } = await searchParams;
  const target = safeTarget(typeof next === "string" ? next : "");
  const { holder, settings } = await requestContext();
  if (holder !== null) redirect(target);
  return (
    <main id="main" tabIndex={-1} className="sign-in">
      <div className="sign-in-box">
        <p className="sign-in-brand">
          {settings.brand}
          {settings.mode === "sandbox" && <span className="environment">Sandbox</span>}
        </p>
        <h1>Sign in</h1>
        <SignInForm target={target} />
        <p className="sign-in-more">
          Building against the API? Read the <a href="/docs">documentation</a>.
        </p>
      </div>
    </main>
  );
}

/** Only a page of the console: nobody is sent elsewhere by a link to here. */
function safeTarget(next: string): string {
  const base = "http://console";
  if (!URL.canParse(next, base)) return "/console";
  const { origin, pathname, search } = new URL(next, base);
  const isOurs = origin === base && (pathname === "/console" || pathname.startsWith("/console/")) && pathname !== "/console/sign-in";
  return isOurs ? pathname + search : "/console";
}
