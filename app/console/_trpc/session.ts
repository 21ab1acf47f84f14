import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { mustEnrolFirst, type TrpcContext } from "#server/console/trpc/context.ts";
import { createTrpcContext } from "#server/console/trpc/create-context.ts";
import { webParts } from "#server/wiring.ts";

export type Holder = NonNullable<TrpcContext["holder"]>;

/** The context of this very request, read once for layout, page and all that they prefetch. */
export const requestContext = cache(async (): Promise<TrpcContext> => {
  const [sent, kept] = await Promise.all([headers(), cookies()]);
  return await createTrpcContext(webParts(), { header: (name) => sent.get(name), cookie: (name) => kept.get(name)?.value });
});

/** Layouts and pages render side by side, so both ask: whoever is nobody is sent to sign in and comes back. */
export async function requirePerson(): Promise<Holder> {
  const context = await requestContext();
  if (mustEnrolFirst(context)) redirect("/console/sign-in/enrol");
  if (context.holder !== null) return context.holder;
  const page = (await headers()).get("x-page") ?? "/console";
  redirect(page === "/console" ? "/console/sign-in" : `/console/sign-in?next=${encodeURIComponent(page)}`);
}

/** Whether this person must set two factors up before anything else. */
export async function mustEnrolNow(): Promise<boolean> {
  return mustEnrolFirst(await requestContext());
}

/** Pages of the operator's people: for a partner's there are none. */
export async function requireOperator(): Promise<Holder> {
  const holder = await requirePerson();
  if (holder.partnerId !== null) notFound();
  return holder;
}

/** Pages of the operator's admins: for a partner's people there are none, and others of the operator's have no use for them. */
export async function requireAdmin(): Promise<Holder> {
  const holder = await requireOperator();
  if (holder.role !== "admin") notFound();
  return holder;
}

/** Pages of a partner's owners. */
export async function requireOwner(): Promise<Holder> {
  const holder = await requirePerson();
  if (holder.role !== "owner") notFound();
  return holder;
}
