import type { z } from "zod";
import type { Operation } from "#contract/operation.ts";
import { type Binding, bind, type Call, type Steps } from "./bind.ts";
import { renderProblem } from "./problem.ts";
import type { Surface } from "./surface.ts";

/** Anybody: nothing is known of the caller. */
export type Anybody = Record<never, never>;

/** What is outside of the two surfaces and needs neither key nor signature, such as `GET /time`. */
export const openSurface: Surface<Anybody> = {
  name: "system",
  isOpen: () => true,
  singleHeaders: () => [],
  admit: async () => ({}),
  idempotencyOwner: () => null,
  challenge: () => "",
  renderRefusal: renderProblem,
};

export function bindOpen<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<Anybody, Params, Query, Body>, z.output<Result>>,
): Binding<Anybody> {
  return bind<Anybody, Params, Query, Body, Result>(operation, steps);
}
