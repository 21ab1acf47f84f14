import type { z } from "zod";
import type { CallerKind, Operation } from "#contract/operation.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Context } from "#server/context.ts";
import { type Caller, type Callers, isFor } from "./callers.ts";
import { readInput } from "./faults.ts";
import { type PathPattern, readPattern } from "./match-path.ts";
import type { RawRequest } from "./raw-request.ts";

/** What a request says, before its schemas have read it. */
export type Input = { params: Record<string, string>; query: Record<string, string>; body: unknown; raw: RawRequest; bytes: Uint8Array };
export type OperationAnswer<Body> = {
  body: Body;
  headers?: Record<string, string> /** Of a repeat or a proposal, where its status differs. */;
  status?: 200 | 202;
};

/** Does the operation and returns what its answer says. The context's database is the transaction that commits it, if the operation writes. */
export type Run = (ctx: Context) => Promise<OperationAnswer<unknown>>;
/** Makes the network calls of a valid request, before any transaction is open. Returns the operation, which knows their results. */
export type Prepare = (ctx: Context) => Promise<Run>;

/** An operation of the contract, and the code that serves it. A request goes through `read`, then {@link Prepare}, then {@link Run}. */
export type Binding = {
  operation: Operation;
  pattern: PathPattern;
  /** What it does before its transaction writes already: the nonce is spent before that, and not with the transaction. */
  writesFirst?: true;
  /** Reads the input by the operation's schemas. Nothing runs yet. @throws Refusal `validation_failed`. */
  read(caller: Caller, input: Input): Prepare;
};

/** What an operation is given: who calls, the input as the schemas read it, and the request as it was sent. */
type Call<Kind extends CallerKind, Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Callers[Kind] & {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
  raw: RawRequest;
  bytes: Uint8Array;
};

/** Binds an operation to the code that serves it, for the callers that the contract names. */
export function bind<
  Kind extends CallerKind,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends z.ZodType,
>(
  operation: Operation<Params, Query, Body, Result, Kind>,
  run: (ctx: Context, call: Call<Kind, Params, Query, Body>) => Promise<OperationAnswer<z.output<Result>>>,
): Binding {
  return bindAfter(operation, async () => {}, run);
}

/** As {@link bind}, with network calls (`prepare`) that come first. Their result goes to `run`. */
export function bindAfter<
  Kind extends CallerKind,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Result extends z.ZodType,
  Found,
>(
  operation: Operation<Params, Query, Body, Result, Kind>,
  prepare: (ctx: Context, call: Call<Kind, Params, Query, Body>) => Promise<Found>,
  run: (ctx: Context, call: Call<Kind, Params, Query, Body>, found: Found) => Promise<OperationAnswer<z.output<Result>>>,
): Binding {
  return {
    operation,
    pattern: readPattern(operation.path),
    read(caller, { params, query, body, raw, bytes }) {
      // The surface lets no other caller through; this is the last defence.
      if (!isFor(operation.caller, caller)) throw new Refusal("forbidden");
      const call = {
        ...caller,
        params: readInput(operation.params, params, "params"),
        query: readInput(operation.query, query, "query"),
        body: readInput(operation.body, body, "body"),
        raw,
        bytes,
      };
      return async (ctx) => {
        const found = await prepare(ctx, call);
        return (within) => run(within, call, found);
      };
    },
  };
}
