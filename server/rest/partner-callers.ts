import type { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import type { By } from "#domain/access.ts";
import type { ApiKey } from "#domain/api-key.ts";
import { Refusal } from "#domain/refusal.ts";
import { type Binding, bind, type Call, type Steps } from "./bind.ts";

/** Who calls the partner-management surface (contract, parts 6 and 7). */
export type PartnerCaller = {
  kind: "partner";
  partnerId: string;
  apiKeyId: string;
  by: By;
  /** No other key may come out freer than this one. */
  key: ApiKey;
};
export type OperatorCaller = {
  kind: "operator";
  by: By;
  /** The key that was sent; null: an access token. */
  key: ApiKey | null;
  /** The access token that was sent; null: an API key. */
  tokenId: string | null;
};
/** Nobody in particular: it is about to say who it is. */
export type StrangerCaller = { kind: "stranger"; address: string; requestId: string };
/** The fiat provider, known by its signature over these very bytes. */
export type ProviderCaller = { kind: "provider"; bytes: Uint8Array };
export type SurfaceCaller = PartnerCaller | OperatorCaller | StrangerCaller | ProviderCaller;

/** Ties an operation of a partner's to what does it. */
export function bindPartner<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<PartnerCaller, Params, Query, Body>, z.output<Result>>,
): Binding<SurfaceCaller> {
  return onlyFor(isPartner, bind<PartnerCaller, Params, Query, Body, Result>(operation, steps));
}

/** Ties an operation of the operator's to what does it. */
export function bindOperator<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<OperatorCaller, Params, Query, Body>, z.output<Result>>,
): Binding<SurfaceCaller> {
  return onlyFor(isOperator, bind<OperatorCaller, Params, Query, Body, Result>(operation, steps));
}

/** Ties an operation of both to what does it: it asks {@link tenantOf} whose things it may touch. */
export function bindBoth<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<PartnerCaller | OperatorCaller, Params, Query, Body>, z.output<Result>>,
): Binding<SurfaceCaller> {
  return onlyFor(isEither, bind<PartnerCaller | OperatorCaller, Params, Query, Body, Result>(operation, steps));
}

/** Ties an operation that wants no credential to what does it. */
export function bindStranger<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<StrangerCaller, Params, Query, Body>, z.output<Result>>,
): Binding<SurfaceCaller> {
  return onlyFor(isStranger, bind<StrangerCaller, Params, Query, Body, Result>(operation, steps));
}

/** Ties an operation of the fiat provider's to what does it. */
export function bindProvider<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<ProviderCaller, Params, Query, Body>, z.output<Result>>,
): Binding<SurfaceCaller> {
  return onlyFor(isProvider, bind<ProviderCaller, Params, Query, Body, Result>(operation, steps));
}

/** Whose things the caller may touch: a partner its own, the operator everybody's. */
export function tenantOf(caller: PartnerCaller | OperatorCaller): { partnerId?: string } {
  return caller.kind === "partner" ? { partnerId: caller.partnerId } : {};
}

const isPartner = (caller: SurfaceCaller) => caller.kind === "partner";
const isOperator = (caller: SurfaceCaller) => caller.kind === "operator";
const isStranger = (caller: SurfaceCaller) => caller.kind === "stranger";
const isProvider = (caller: SurfaceCaller) => caller.kind === "provider";
const isEither = (caller: SurfaceCaller) => caller.kind === "partner" || caller.kind === "operator";

/** The surface has let nobody else through; should it ever, it ends here. */
function onlyFor<Own extends SurfaceCaller>(
  fits: (caller: SurfaceCaller) => caller is Own & SurfaceCaller,
  binding: Binding<Own>,
): Binding<SurfaceCaller> {
  return {
    operation: binding.operation,
    prepare: (caller, input) => {
      if (!fits(caller)) throw new Refusal("forbidden");
      return binding.prepare(caller, input);
    },
  };
}
