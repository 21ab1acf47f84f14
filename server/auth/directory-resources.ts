import { z } from "zod";
import { Refusal } from "#domain/refusal.ts";
import type { DirectoryGroup, DirectoryUser, GroupContent, UserContent } from "#server/services/identity-providers/directory.ts";

/** Users and groups in the words of SCIM (RFC 7643). */

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

const text = z.string().min(1).max(255);
/** Some directories write truth as text. */
const truth = z.union([z.boolean(), z.enum(["true", "false", "True", "False"]).transform((word) => word.toLowerCase() === "true")]);

const User = z.object({
  userName: text,
  externalId: text.nullish(),
  active: truth.default(true),
  displayName: text.nullish(),
  name: z.record(z.string().max(64), z.unknown()).nullish(),
  emails: z
    .array(z.record(z.string().max(64), z.unknown()))
    .max(20)
    .nullish(),
});
const Group = z.object({
  displayName: text,
  externalId: text.nullish(),
  members: z
    .array(z.object({ value: z.string().max(64) }))
    .max(2_000)
    .nullish(),
});

export const Patch = z.object({
  Operations: z
    .array(z.object({ op: z.string().max(16), path: z.string().max(300).optional(), value: z.unknown().optional() }))
    .min(1)
    .max(100),
});

/** What a directory says of a user. Anything else that it says, a password among it, is dropped. @throws Refusal `validation_failed`. */
export function userContent(body: unknown): UserContent {
  const { userName, externalId, active, displayName, name, emails } = read(User, body);
  const attributes = { ...(displayName && { displayName }), ...(name && { name }), ...(emails && { emails }) };
  return { userName, externalId: externalId ?? null, active, attributes };
}

/** @throws Refusal `validation_failed`. */
export function groupContent(body: unknown): GroupContent {
  const { displayName, externalId, members } = read(Group, body);
  return { displayName, externalId: externalId ?? null, members: [...new Set((members ?? []).map(({ value }) => value))] };
}

function read<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, code: "invalid" as const, message }));
  throw new Refusal("validation_failed", { errors });
}

export function renderUser(user: DirectoryUser, base: string) {
  const { id, userName, externalId, active, attributes } = user;
  const meta = { resourceType: "User", location: `${base}/Users/${id}`, ...times(user) };
  return { schemas: [USER], id, ...(externalId !== null && { externalId }), userName, active, ...attributes, meta };
}

export function renderGroup(group: DirectoryGroup, base: string) {
  const { id, displayName, externalId, members } = group;
  const meta = { resourceType: "Group", location: `${base}/Groups/${id}`, ...times(group) };
  const listed = members.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: "User" }));
  return { schemas: [GROUP], id, ...(externalId !== null && { externalId }), displayName, members: listed, meta };
}

export function renderList(resources: readonly object[], total: number, skip: number) {
  return { schemas: [LIST], totalResults: total, startIndex: skip + 1, itemsPerPage: resources.length, Resources: resources };
}

function times({ createdAt, updatedAt }: { createdAt: Date; updatedAt: Date }) {
  return { created: createdAt.toISOString(), lastModified: updatedAt.toISOString() };
}
