import type { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import type { Context } from "#server/context.ts";
import { readInput } from "./faults.ts";
import type { RawRequest } from "./raw-request.ts";

/** What a request says, before its schemas have read it. */
export type Input = { params: Record<string, string>; query: Record<string, string>; body: unknown; raw: RawRequest; bytes: Uint8Array };
export type OperationAnswer<Body> = {
  body: Body;
  headers?: Record<string, string> /** Of a repeat or a proposal, where its status differs. */;
  status?: 200 | 202;
};

/** A request that is valid and has not begun. */
export type Prepared = {
  /** Checks that wait on the network. They run outside of any transaction. */
  before(ctx: Context): Promise<void>;
  /** The operation. The context's database may be an open transaction. */
  run(ctx: Context): Promise<OperationAnswer<unknown>>;
};

/** An operation with what does it, for callers of one kind. */
export type Binding<Caller> = {
  operation: Operation;
  /** True: neither content type, query nor body is judged. */
  unread?: boolean;
  /** @throws Refusal `validation_failed`. */
  prepare(caller: Caller, input: Input): Prepared;
};

/** What the steps of an operation are given: who calls, and the input as the schemas read it. */
export type Call<Caller, Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = Caller & {
  params: z.output<Params>;
  query: z.output<Query>;
  body: z.output<Body>;
};

export type Steps<Request, Result> = {
  before?(ctx: Context, call: Request): Promise<void>;
  run(ctx: Context, call: Request): Promise<OperationAnswer<Result>>;
};

/** Ties an operation to what does it. The surfaces offer this with their own kind of caller. */
export function bind<Caller, Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<Caller, Params, Query, Body>, z.output<Result>>,
): Binding<Caller> {
  return {
    operation,
    prepare(caller, input) {
      const call = {
        ...caller,
        params: readInput(operation.params, input.params, "params"),
        query: readInput(operation.query, input.query, "query"),
        body: readInput(operation.body, input.body, "body"),
      };
      return {
        before: async (ctx) => await steps.before?.(ctx, call),
        run: (ctx) => steps.run(ctx, call),
      };
    },
  };
}
