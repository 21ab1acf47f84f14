import { dehydrate, HydrationBoundary, type QueryClient } from "@tanstack/react-query";
import { TRPCError } from "@trpc/server";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache, createElement, type ReactNode } from "react";
import { appRouter } from "#server/console/router.ts";
import { mustEnrolFirst, type TrpcContext } from "#server/console/trpc/context.ts";
import { createTrpcContext } from "#server/console/trpc/create-context.ts";
import { troublesFor } from "#server/rest/troubles.ts";
import { webParts } from "#server/wiring.ts";
import { inTime } from "./in-time.ts";
import { newQueryClient } from "./query-client.ts";

/** What a page asks on the server: for whom it is, and what it begins with. */

export type Holder = NonNullable<TrpcContext["holder"]>;

/** The context of this very request, read once for layout, page and all that they prefetch. */
export const requestContext = cache(async (): Promise<TrpcContext> => {
  const [sent, kept] = await Promise.all([headers(), cookies()]);
  const parts = { header: (name: string) => sent.get(name), cookie: (name: string) => kept.get(name)?.value };
  return await orStandIn(createTrpcContext(webParts(), parts));
});

/**
 * What a page cannot be made without: within some seconds it is there, or a page with the cause and a retry stands in. Next hands that one the
 * error's `digest` and nothing else, so the digest is the id of the request.
 */
export async function orStandIn<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await inTime(reading);
  } catch (error) {
    const digest = (await headers()).get("x-request-id");
    throw error instanceof Error && digest !== null ? Object.assign(error, { digest }) : error;
  }
}

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

/** A page is not kept waiting for longer: what is amiss is then told a moment after it. */
const TROUBLES_MS = 300;

/** What is amiss while a page is drawn: its line is there from the beginning, and pushes nothing down afterwards. */
export async function troublesNow() {
  const { ctx, replica } = webParts();
  return await inTime(troublesFor(ctx, await requirePerson(), replica), TROUBLES_MS).catch(() => []);
}

/** One a request. */
export const serverQueries = cache((): QueryClient => newQueryClient());

/**
 * The procedures for server components, called without HTTP but with every check:
 * `return await shown(<Screen />, read(trpc.settlements.list.queryOptions(…)))`.
 */
export const trpc = createTRPCOptionsProxy({ ctx: requestContext, router: appRouter, queryClient: serverQueries });

/** Reads what a screen begins with. */
export const read: QueryClient["prefetchQuery"] = (...asked) => serverQueries().prefetchQuery(...asked);

/**
 * Waits for what a page is about. What is not there, or somebody else's, is the 404 page; any other trouble is left to the page, which
 * asks again in the browser and shows what went wrong.
 */
export async function orNotFound(reading: Promise<unknown>): Promise<void> {
  try {
    await inTime(reading);
  } catch (error) {
    if (error instanceof TRPCError && error.code === "NOT_FOUND") notFound();
  }
}

/**
 * A screen with what the server has read of it, or begun to read, handed to the browser. What does not end there ends here, as an error
 * with a retry.
 */
export async function shown(screen: ReactNode, ...readings: readonly unknown[]): Promise<ReactNode> {
  await Promise.all(readings);
  const { queries, ...rest } = dehydrate(serverQueries());
  const ending = queries.map((query) => (query.promise ? { ...query, promise: inTime(query.promise) } : query));
  return createElement(HydrationBoundary, { state: { ...rest, queries: ending } }, screen);
}
