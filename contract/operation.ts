import { z } from "zod";
import type { OperatorPermission, OperatorScope, PartnerScope, Scope } from "#domain/access.ts";
import type { RefusalCode } from "#domain/refusal.ts";
import type { Deprecation } from "./deprecation.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call (contract, parts 3 and 6). `signed`: a partner, by the signature over its request. `partner`: a partner's key, for its own
 * partner. `operator`: an operator's key or person (marked
 * A in the docs). `both`: a partner for its own, an operator for all. `anybody`: without a credential. `provider`: the fiat
 * provider, by its signature over the bytes.
 */
export type CallerKind = "signed" | "partner" | "operator" | "both" | "anybody" | "provider";

/**
 * One operation of a surface as one value, for the route, the validation of answers, OpenAPI, the docs and the tests' client. Schemas have
 * wire names; input is strict (`z.strictObject`), results are open (`z.object`).
 */
export type Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
  Caller extends CallerKind = CallerKind,
> = {
  /** snake_case, unique: the name in logs, metrics and OpenAPI. */
  id: string;
  summary: string;
  method: HttpMethod;
  /** With its prefix and its parameters in braces: `/api/v1/settlements/{tx_id}`. */
  path: string;
  /** What a partner's API key must carry; null: nothing, whosever key it is. */
  scope: PartnerScope | null;
  /** What an operator's must; left out: what follows from the action, see {@link scopeFor}. */
  operatorScope?: OperatorScope;
  caller: Caller;
  /** What an operator's role must include; left out: `read` for reads, `administer` for writes. */
  permission?: OperatorPermission;
  /** Which of the two rate limits it counts against. */
  kind: "read" | "write";
  /** Texts, percent-decoded, by the names in the path. Keep them open: an id that cannot be one is a 404, not a 422. */
  params: Params;
  query: Query;
  body: Body;
  /** If false, an empty body is read as `{}`. GET and DELETE never read one. */
  bodyRequired: boolean;
  /** The most bytes of the body; left out: as for every other. */
  bodyLimit?: number;
  /** `form`: the body is `application/x-www-form-urlencoded`. Left out: JSON. */
  media?: "form";
  /** True: neither content type, query nor body is judged. */
  unread?: true;
  result: Result;
  status: 200 | 201 | 202 | 204;
  /** What a repeat of the same request is answered with, where that differs. */
  repeatStatus?: 200;
  /** The status of what was only asked to be shown before it is done. */
  previewStatus?: 200;
  /** The status while a second person still has to confirm. */
  proposedStatus?: 202;
  /** Headers of a good answer, by name, and what they say. */
  resultHeaders?: Readonly<Record<string, string>>;
  /** Left out: it may be used. */
  deprecation?: Deprecation;
  /** True: a good answer contains a secret that is shown only once, so it is never stored unencrypted. */
  secret?: true;
  /** What this operation itself may refuse, beyond what every operation of the surface may. */
  refusals: readonly RefusalCode[];
};

/** No parameters, no query, no body: anything that is sent there is refused as unknown. */
export const nothing = z.strictObject({});
type Nothing = typeof nothing;

type Usual = "params" | "query" | "body" | "bodyRequired" | "status" | "refusals";
/** An operation as it is defined. Defaults: no input, a required body if it has one, status 200, no refusals of its own. */
type Written<Of extends Operation> = Omit<Of, Usual> & Partial<Pick<Of, Usual>>;

/** Keeps an operation's own types, so that its binding is typed by its schemas and callers. */
export function defineOperation<
  Result extends z.ZodType,
  Caller extends CallerKind,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(operation: Written<Operation<Params, Query, Body, Result, Caller>>): Operation<Params, Query, Body, Result, Caller>;
export function defineOperation(operation: Written<Operation>): Operation {
  const usual = {
    params: nothing,
    query: nothing,
    body: nothing,
    bodyRequired: operation.body !== undefined,
    status: 200,
    refusals: [],
  } as const;
  return { ...usual, ...operation };
}

/** The scope that a key of that side must carry for the operation; null: none. */
export function scopeFor(
  side: "partner" | "operator",
  operation: Pick<Operation, "scope" | "operatorScope" | "permission" | "kind">,
): Scope | null {
  const { scope, operatorScope, permission, kind } = operation;
  if (scope === null || side === "partner") return scope;
  if (operatorScope !== undefined) return operatorScope;
  if (permission === "decide_settlement") return "settlements:decide";
  return permission === "read" || (permission === undefined && kind === "read") ? "read" : "partners:admin";
}

/**
 * Whether an Idempotency-Key is honoured: on every POST, except from an anonymous caller, and from the provider, which repeats by its order
 * ids.
 */
export function honoursIdempotencyKey({ method, caller }: Pick<Operation, "method" | "caller">): boolean {
  return method === "POST" && caller !== "anybody" && caller !== "provider";
}

export type Side = "partner" | "operator" | "provider" | "anybody";

/** Who may call the operation, one by one. */
export function callersOf({ caller }: Pick<Operation, "caller">): readonly Side[] {
  if (caller === "signed") return ["partner"];
  return caller === "both" ? ["partner", "operator"] : [caller];
}

/** Each kind of key that may call the operation, with the scope that it must carry. */
export function wantedScopes(operation: Operation): { side: "partner" | "operator"; scope: Scope }[] {
  return callersOf(operation).flatMap((side) => {
    if (side !== "partner" && side !== "operator") return [];
    const scope = scopeFor(side, operation);
    return scope === null ? [] : [{ side, scope }];
  });
}
