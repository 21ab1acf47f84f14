import { isStorable } from "./storable-text.ts";

/** A filter of a directory's list, as directories send it: `userName eq "ada"`. Null: it cannot be read. */
export type DirectoryFilter = { attribute: string; value: string };

/** The attributes that a list may be asked by. */
const ATTRIBUTES = ["username", "externalid", "displayname", "id"];

/** Reads `attribute eq "value"` (RFC 7644, 3.4.2.2); null for anything else. */
export function readDirectoryFilter(text: string): DirectoryFilter | null {
  const [, attribute, quoted] = /^\s*([A-Za-z]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text) ?? [];
  if (attribute === undefined || quoted === undefined || !ATTRIBUTES.includes(attribute.toLowerCase())) return null;
  try {
    const value = JSON.parse(quoted);
    return isStorable(value) ? { attribute: attribute.toLowerCase(), value } : null;
  } catch {
    return null;
  }
}

type Operation = { op: string; path?: string | undefined; value?: unknown };

/**
 * Applies a directory's changes to a resource in wire names. Null: one of them cannot be read. Paths: an attribute, a part of one
 * (`name.givenName`), or members by id (`members[value eq "…"]`).
 */
export function patchResource(resource: Record<string, unknown>, operations: readonly Operation[]): Record<string, unknown> | null {
  let changed: Record<string, unknown> = { ...resource };
  for (const operation of operations) {
    const next = applied(changed, operation);
    if (next === null) return null;
    changed = next;
  }
  return changed;
}

function applied(resource: Record<string, unknown>, { op, path, value }: Operation): Record<string, unknown> | null {
  const verb = op.toLowerCase();
  if (!["add", "replace", "remove"].includes(verb)) return null;
  if (path === undefined) {
    if (verb === "remove" || !isObject(value)) return null;
    let all: Record<string, unknown> | null = resource;
    for (const [name, each] of Object.entries(value)) all = all && applied(all, { op, path: name, value: each });
    return all;
  }
  const plain = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, "");
  const [, list, quoted] = /^(\w+)\[value eq ("[^"]*")\]$/i.exec(plain) ?? [];
  if (list !== undefined && quoted !== undefined) {
    if (verb !== "remove") return null;
    const gone: unknown = JSON.parse(quoted);
    const name = nameIn(resource, list);
    return { ...resource, [name]: listOf(resource[name]).filter((each) => !isObject(each) || each.value !== gone) };
  }
  if (!/^\w+(?:\.\w+)?$/.test(plain)) return null;
  const [first = "", second] = plain.split(".");
  const name = nameIn(resource, first);
  if (second !== undefined) {
    const inner = isObject(resource[name]) ? resource[name] : {};
    return { ...resource, [name]: put(inner, second, verb, value) };
  }
  return put(resource, name, verb, value);
}

function put(resource: Record<string, unknown>, name: string, verb: string, value: unknown): Record<string, unknown> {
  const { [name]: before, ...rest } = resource;
  if (verb === "remove") return value === undefined || !Array.isArray(before) ? rest : { ...rest, [name]: without(before, listOf(value)) };
  if (verb === "add" && Array.isArray(before)) return { ...rest, [name]: [...without(before, listOf(value)), ...listOf(value)] };
  return { ...rest, [name]: value };
}

function without(before: unknown[], gone: unknown[]): unknown[] {
  const ids = new Set(gone.map((each) => (isObject(each) ? each.value : each)));
  return before.filter((each) => !ids.has(isObject(each) ? each.value : each));
}

/** Attribute names are compared without case. */
function nameIn(resource: Record<string, unknown>, name: string): string {
  const lower = name.toLowerCase();
  const known = ["userName", "externalId", "displayName", "active", "name", "emails", "members", ...Object.keys(resource)];
  return known.find((each) => each.toLowerCase() === lower) ?? name;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
