import type { DocumentedSurface } from "#contract/documented-surface.ts";
import { honoursIdempotencyKey, type Operation } from "#contract/operation.ts";
import { partnerDocument, sandboxDocument } from "#contract/partner/document.ts";
import * as controls from "#contract/sandbox.ts";
import { settlementDocument } from "#contract/settlement/v1/document.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import { MANAGEMENT_OPERATIONS, OPERATIONS } from "./operations.ts";

/** The operations that return a code, by surface. `all` describes them in words where a group fits exactly; else they are listed. */
export type Place = { surface: string; page: string; all: string | null; operations: readonly Operation[] };

type Surface = { surface: string; page: string; document: DocumentedSurface };
const SURFACES: readonly Surface[] = [
  { surface: "Settlement surface", page: "/docs/reference", document: settlementDocument("Service", OPERATIONS) },
  { surface: "Partner management", page: "/docs/partner-management", document: partnerDocument(MANAGEMENT_OPERATIONS, {}) },
  { surface: "Sandbox controls", page: "/docs/sandbox", document: sandboxDocument(Object.values(controls)) },
];

const wantsKey = ({ caller }: Operation) => caller !== "anybody" && caller !== "provider";
const GROUPS: readonly (readonly [words: string, has: (operation: Operation) => boolean])[] = [
  ["every operation", () => true],
  ["every operation with a key", wantsKey],
  [
    "every operation with a key, the status of a proof and the report of a leaked key",
    (operation) => wantsKey(operation) || ["get_proof_status", "report_leaked_key"].includes(operation.id),
  ],
  ["every operation but the log-in", ({ caller }) => caller !== "anybody"],
  ["every operation but the provider’s callbacks", ({ caller }) => caller !== "provider"],
  ["every operation but echo", ({ unread }) => unread !== true],
  ["every POST that takes an Idempotency-Key", honoursIdempotencyKey],
  ["every POST but echo", ({ method, unread }) => method === "POST" && unread !== true],
  ["every POST and PATCH but echo", ({ method, unread }) => ["POST", "PATCH"].includes(method) && unread !== true],
  ["every POST and PUT", ({ method }) => method === "POST" || method === "PUT"],
  ["every operation with a key that changes something", (operation) => operation.kind === "write" && wantsKey(operation)],
  ["every operation with a key but echo", (operation) => wantsKey(operation) && operation.unread !== true],
  ["every operation with a scope", ({ scope }) => scope !== null],
  ["every operation that a partner’s key may call", ({ caller }) => caller === "partner" || caller === "both"],
];

/** Where a code is returned outside the operations, or before the operation is known. */
export const BESIDES: Partial<Record<RefusalCode, string>> = {
  route_not_found: "Any path under /api/v1, /partners and the like that has no operation.",
  method_not_allowed: "Any operation’s path with another method.",
  one_time_code_required: "The console’s sign-in.",
  single_sign_on_required: "The console’s sign-in.",
  enrolment_required: "The console, and every request with a person’s access token.",
};

/** Every operation that may return the code, by surface: as its own refusal, or as one of its kind. */
export function placesOf(code: RefusalCode): Place[] {
  return SURFACES.flatMap(({ surface, page, document }) => {
    const answers = (operation: Operation) => [...operation.refusals, ...document.refusals(operation)].includes(code);
    const operations = document.operations.filter(answers);
    if (operations.length === 0) return [];
    const group = GROUPS.find(([, has]) => document.operations.every((operation) => has(operation) === answers(operation)));
    const all = operations.length > 1 ? (group?.[0] ?? null) : null;
    return [{ surface, page, all, operations }];
  });
}
