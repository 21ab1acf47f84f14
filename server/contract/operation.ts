import { z } from "zod";
import type { OperatorDeed, Scope } from "#server/domain/access.ts";
import type { RefusalCode } from "#server/domain/refusal.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call (contract, part 6). `partner`: a partner's key, for its own partner. `operator`: an operator's key or person (marked
 * A in the docs). `both`: a partner for its own, an operator for all. `anybody`: without a credential. `provider`: the fiat
 * provider, by its signature over the bytes.
 */
export type CallerKind = "partner" | "operator" | "both" | "anybody" | "provider";

/**
 * One operation of a surface as one value: the route, the answers' check, OpenAPI, the docs and the client in tests read it.
 * Schemas hold wire names; input is strict (`z.strictObject`), results are open (`z.object`).
 */
export type Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = {
  /** snake_case, unique: the name in logs, metrics and OpenAPI. */
  id: string;
  summary: string;
  method: HttpMethod;
  /** With its prefix and its parameters in braces: `/api/v1/settlements/{tx_id}`. */
  path: string;
  /** What the API key must carry; null: nothing. */
  scope: Scope | null;
  /** Left out: `partner`. Only the partner-management surface knows the others. */
  caller?: CallerKind;
  /** What an operator's role must include; left out: `read` for reads, `administer` for writes. */
  deed?: OperatorDeed;
  /** Which of the two rate limits it counts against. */
  kind: "read" | "write";
  /** Texts, percent-decoded, by the names in the path. Keep them open: an id that cannot be one is a 404, not a 422. */
  params: Params;
  query: Query;
  body: Body;
  /** Where false, an empty body is read as `{}`. GET and DELETE never read one. */
  bodyRequired: boolean;
  /** `form`: the body is `application/x-www-form-urlencoded`. Left out: JSON. */
  media?: "form";
  result: Result;
  status: 200 | 201 | 202 | 204;
  /** What a repeat of the same request is answered with, where that differs. */
  repeatStatus?: 200;
  /** Headers of a good answer, by name, and what they say. */
  resultHeaders?: Readonly<Record<string, string>>;
  /** True: a good answer shows what is told this once, so nothing keeps it in clear. */
  secret?: true;
  /** What this operation itself may refuse, beyond what every operation of the surface may. */
  refusals: readonly RefusalCode[];
};

/** Keeps an operation's own schema types, so that its binding is typed by them. */
export function defineOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
): Operation<Params, Query, Body, Result> {
  return operation;
}

/** No parameters, no query, no body: anything that is sent there is refused as unknown. */
export const nothing = z.strictObject({});
