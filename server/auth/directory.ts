import { z } from "zod";
import { REFUSAL_STATUS, retryAfterOf } from "#contract/refusal-status.ts";
import { patchResource, readDirectoryFilter } from "#domain/directory.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { isStorable } from "#domain/storable-text.ts";
import type { Context } from "#server/context.ts";
import {
  addGroup,
  addUser,
  authenticateDirectory,
  changeGroup,
  changeUser,
  listGroups,
  listUsers,
  type OfDirectory,
  removeGroup,
  removeUser,
} from "#server/services/identity-providers/directory.ts";
import { readClient } from "./client.ts";
import type { ConsoleGate } from "./console-gate.ts";
import { groupContent, Patch, renderGroup, renderList, renderUser, userContent } from "./directory-resources.ts";

type Parts = { ctx: Context; config: { baseUrl: string }; gate: ConsoleGate };
type Segments = { params: Promise<{ path: string[] }> };
type Answer = { status: number; body: unknown };

const MOST_ON_A_PAGE = 200;
const Page = z.object({ startIndex: z.coerce.number().int().catch(1), count: z.coerce.number().int().catch(100) });

/** The requests of a company's directory (SCIM 2.0, RFC 7644): users and groups of the provider whose token they carry. */
export async function handleDirectory({ ctx, config, gate }: Parts, request: Request, segments: Segments): Promise<Response> {
  const { address, requestId } = readClient((name) => request.headers.get(name));
  try {
    gate.visit(address);
    const [, token = ""] = /^Bearer (dir_[A-Za-z0-9_-]{43})$/.exec(request.headers.get("authorization") ?? "") ?? [];
    const provider = token === "" ? null : await authenticateDirectory(ctx, token);
    if (provider === null) {
      // A guess at a token costs as much as one at a password.
      gate.signIn(address);
      throw new Refusal("invalid_token", { detail: "The bearer token is wrong or has ended." });
    }
    gate.call({ sessionId: `directory ${provider.id}`, address }, 1);
    const [version, resource, id, ...more] = (await segments.params).path;
    if (version !== "v2" || more.length > 0) throw new Refusal("route_not_found");
    const { status, body } = await answerOf(
      ctx,
      { provider, address, requestId },
      { request, resource, id, base: `${config.baseUrl}/api/scim/v2` },
    );
    return scim(status, body);
  } catch (error) {
    if (!isRefusal(error)) ctx.log.error({ err: error, request_id: requestId }, "a directory's request could not be answered");
    return refused(isRefusal(error) ? error : new Refusal("internal_error"));
  }
}

type Asked = { request: Request; resource: string | undefined; id: string | undefined; base: string };

async function answerOf(ctx: Context, of: OfDirectory, { request, resource, id, base }: Asked): Promise<Answer> {
  const { method } = request;
  if (resource === "ServiceProviderConfig" && id === undefined && method === "GET") return { status: 200, body: CONFIG };
  if (resource !== "Users" && resource !== "Groups") throw new Refusal("route_not_found");
  if (id !== undefined && !isStorable(id)) throw new Refusal("not_found");
  if (id === undefined) {
    if (method === "GET") return { status: 200, body: await list(ctx, of, { request, resource, base }) };
    if (method !== "POST") throw new Refusal("method_not_allowed");
    const body = await readBody(request);
    if (resource === "Users") return { status: 201, body: renderUser(await addUser(ctx, of, userContent(body)), base) };
    return { status: 201, body: renderGroup(await addGroup(ctx, of, groupContent(body)), base) };
  }
  if (method === "GET") return { status: 200, body: await one(ctx, of, { resource, id, base }) };
  if (method === "DELETE") {
    await (resource === "Users" ? removeUser(ctx, of, id) : removeGroup(ctx, of, id));
    return { status: 204, body: null };
  }
  if (method !== "PUT" && method !== "PATCH") throw new Refusal("method_not_allowed");
  const body = await readBody(request);
  const becomes = (before: Record<string, unknown>) => (method === "PUT" ? body : patched(before, body));
  if (resource === "Users") {
    const user = await changeUser(ctx, of, { id, change: (before) => userContent(becomes(renderUser(before, base))) });
    return { status: 200, body: renderUser(user, base) };
  }
  const group = await changeGroup(ctx, of, { id, change: (before) => groupContent(becomes(renderGroup(before, base))) });
  return { status: 200, body: renderGroup(group, base) };
}

async function list(ctx: Context, { provider }: OfDirectory, { request, resource, base }: Omit<Asked, "id">) {
  const asked = new URL(request.url).searchParams;
  const text = asked.get("filter");
  const filter = text === null ? null : readDirectoryFilter(text);
  if (text !== null && filter === null) {
    const message = 'must be of the form userName eq "ada"';
    throw new Refusal("validation_failed", { errors: [{ parameter: "filter", code: "invalid", message }] });
  }
  const { startIndex, count } = Page.parse({ startIndex: asked.get("startIndex") ?? 1, count: asked.get("count") ?? 100 });
  const page = { provider, filter, skip: Math.max(0, startIndex - 1), limit: Math.min(MOST_ON_A_PAGE, Math.max(0, count)) };
  if (resource === "Users") {
    const { items, total } = await listUsers(ctx, page);
    return renderList(
      items.map((user) => renderUser(user, base)),
      total,
      page.skip,
    );
  }
  const { items, total } = await listGroups(ctx, page);
  return renderList(
    items.map((group) => renderGroup(group, base)),
    total,
    page.skip,
  );
}

async function one(ctx: Context, { provider }: OfDirectory, { resource, id, base }: { resource: string; id: string; base: string }) {
  const sought = { provider, filter: { attribute: "id", value: id }, skip: 0, limit: 1 };
  if (resource === "Users") {
    const [user] = (await listUsers(ctx, sought)).items;
    if (user !== undefined) return renderUser(user, base);
  } else {
    const [group] = (await listGroups(ctx, sought)).items;
    if (group !== undefined) return renderGroup(group, base);
  }
  throw new Refusal("not_found");
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/scim+json" && type !== "application/json") throw new Refusal("unsupported_media_type");
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(await request.text(), storable));
  } catch (error) {
    throw isRefusal(error) ? error : new Refusal("malformed_json");
  }
}

/** @throws Refusal `validation_failed` for a text that the database cannot hold. */
function storable(name: string, value: unknown): unknown {
  if (isStorable(name) && (typeof value !== "string" || isStorable(value))) return value;
  throw new Refusal("validation_failed", { detail: "A text has a character that cannot be kept." });
}

function patched(before: Record<string, unknown>, body: unknown): Record<string, unknown> {
  const read = Patch.safeParse(body);
  const after = read.success ? patchResource(before, read.data.Operations) : null;
  if (after === null) throw new Refusal("validation_failed", { detail: "The changes cannot be read." });
  return after;
}

const CONFIG = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_ON_A_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [{ type: "oauthbearertoken", name: "Bearer token", description: "A token that the console makes." }],
};

/** RFC 7644, 3.12. */
function refused(refusal: Refusal): Response {
  const { status, title } = REFUSAL_STATUS[refusal.code];
  const kinds: Partial<Record<Refusal["code"], string>> = {
    conflict: "uniqueness",
    malformed_json: "invalidSyntax",
    validation_failed: "invalidValue",
  };
  const shown = status === 422 ? 400 : status;
  const [fault] = refusal.particulars.errors ?? [];
  const scimType = fault?.parameter === "filter" ? "invalidFilter" : kinds[refusal.code];
  const place = fault?.pointer ?? fault?.parameter ?? "";
  const detail = fault === undefined ? (refusal.particulars.detail ?? title) : `${place} ${fault.message}`;
  const body = { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: String(shown), detail, ...(scimType && { scimType }) };
  const seconds = retryAfterOf(refusal);
  return scim(shown, body, {
    ...(seconds !== null && { "retry-after": String(seconds) }),
    ...(shown === 401 && { "www-authenticate": "Bearer" }),
    ...(shown === 405 && { allow: "GET, POST, PUT, PATCH, DELETE" }),
  });
}

function scim(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  const all = { "content-type": "application/scim+json", "cache-control": "no-store", ...headers };
  return new Response(body === null ? null : JSON.stringify(body), { status, headers: all });
}
