import { dehydrate, type QueryClient } from "@tanstack/react-query";
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
import { Hydrated } from "./hydrated.tsx";
import { newQueryClient } from "./query-client.ts";

/** What a page reads on the server: its user, and its first data. */

export type Holder = NonNullable<TrpcContext["holder"]>;

/** This request's context, read once for layout, page and all prefetches. */
export const requestContext = cache(async (): Promise<TrpcContext> => {
  const [sent, kept] = await Promise.all([headers(), cookies()]);
  const parts = { header: (name: string) => sent.get(name), cookie: (name: string) => kept.get(name)?.value };
  return await orStandIn(createTrpcContext(webParts(), parts));
});

/**
 * Data that a page cannot be rendered without. After some seconds, an error page with the cause and a retry replaces it. Next.js passes
 * only the error's `digest` to that page, so the digest is the request id.
 */
export async function orStandIn<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await inTime(reading);
  } catch (error) {
    const digest = (await headers()).get("x-request-id");
    throw error instanceof Error && digest !== null ? Object.assign(error, { digest }) : error;
  }
}

/** Layouts and pages render concurrently, so both check. Without a session, the user is sent to the sign-in and returns afterwards. */
export async function requirePerson(): Promise<Holder> {
  const context = await requestContext();
  if (mustEnrolFirst(context)) redirect("/console/sign-in/enrol");
  if (context.holder !== null) return context.holder;
  const page = (await headers()).get("x-page") ?? "/console";
  redirect(page === "/console" ? "/console/sign-in" : `/console/sign-in?next=${encodeURIComponent(page)}`);
}

/** Whether this user must enrol a second factor first. */
export async function mustEnrolNow(): Promise<boolean> {
  return mustEnrolFirst(await requestContext());
}

/** Pages only for operators' users; 404 for partners' users. */
export async function requireOperator(): Promise<Holder> {
  const holder = await requirePerson();
  if (holder.partnerId !== null) notFound();
  return holder;
}

/** Pages only for the operator's admins; 404 for everybody else. */
export async function requireAdmin(): Promise<Holder> {
  const holder = await requireOperator();
  if (holder.role !== "admin") notFound();
  return holder;
}

/** Pages for a partner's owners. */
export async function requireOwner(): Promise<Holder> {
  const holder = await requirePerson();
  if (holder.role !== "owner") notFound();
  return holder;
}

/** A page waits no longer than this; troubles then show a moment later. */
const TROUBLES_MS = 300;

/** The troubles at render time, so that their line is there from the beginning and pushes nothing down later. */
export async function troublesNow() {
  const { ctx, replica } = webParts();
  return await inTime(troublesFor(ctx, await requirePerson(), replica), TROUBLES_MS).catch(() => []);
}

/** One per request. */
export const serverQueries = cache((): QueryClient => newQueryClient());

/**
 * The procedures for server components, called without HTTP but with every check:
 * `return await shown(<Screen />, read(trpc.settlements.list.queryOptions(…)))`.
 */
export const trpc = createTRPCOptionsProxy({ ctx: requestContext, router: appRouter, queryClient: serverQueries });

/** Reads a screen's first data. */
export const read: QueryClient["prefetchQuery"] = (...asked) => serverQueries().prefetchQuery(...asked);

/**
 * Reads the page's object. If it does not exist or belongs to somebody else, the page is 404. Any other error is left to the page, which
 * retries in the browser and shows it.
 */
export async function orNotFound(reading: Promise<unknown>): Promise<void> {
  try {
    await inTime(reading);
  } catch (error) {
    if (error instanceof TRPCError && error.code === "NOT_FOUND") notFound();
  }
}

/**
 * A screen with the data that the server has read or begun to read for it. A read that does not finish on the server ends in the browser as
 * an error with a retry.
 */
export async function shown(screen: ReactNode, ...readings: readonly unknown[]): Promise<ReactNode> {
  await Promise.all(readings);
  const { queries, ...rest } = dehydrate(serverQueries());
  const ending = queries.map((query) => (query.promise ? { ...query, promise: inTime(query.promise) } : query));
  return createElement(Hydrated, { state: { ...rest, queries: ending } }, screen);
}

/** The result of a read, or an error within some seconds: a server-rendered page never waits longer for its database. */
async function inTime<Value>(reading: Promise<Value>, ms = 6_000): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("no answer came in time"), { name: "Unreachable" })), ms);
  });
  return await Promise.race([reading, patience]).finally(() => clearTimeout(timer));
}
