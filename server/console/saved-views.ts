import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { toInside } from "#contract/wire.ts";
import { VIEW_PARAMS, type ViewParams } from "#domain/settlement-view.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from "#server/services/saved-views/saved-views.ts";
import { done } from "./done.ts";

const id = plainText(1, 64);
const view = z.strictObject({
  name: plainText(1, 60).refine((text) => text.trim() === text, { error: "must not begin or end with a space" }),
  shared: z.boolean(),
  params: z.partialRecord(z.enum(VIEW_PARAMS), plainText(1, 256)),
});

const withoutStepUp = personProcedure.meta({ stepUp: false });

/** Views of the settlements list under a name: everybody's own, and what is shared within one's organisation. */
export const savedViewsRouter = router({
  list: personProcedure.query(async ({ ctx: { services, holder } }) => {
    const views = await listSavedViews(services, holder);
    return views.map(({ ownerId, ownerName, ...kept }) => ({
      id: kept.id,
      name: kept.name,
      shared: kept.shared,
      params: known(kept.params),
      /** Whether it is the user's own; otherwise it is shared within the organisation. */
      own: ownerId === holder.userId,
      owner: ownerName,
    }));
  }),

  create: withoutStepUp.input(view).mutation(async ({ ctx: { services, by }, input }) => {
    return { id: await createSavedView(services, { by, ...input }) };
  }),

  update: withoutStepUp.input(view.partial().extend({ id })).mutation(({ ctx: { services, by }, input }) => {
    const { id: viewId, ...change } = input;
    return done(updateSavedView(services, { by, id: viewId, change: toInside(change) }));
  }),

  delete: withoutStepUp.input(z.strictObject({ id })).mutation(({ ctx: { services, by }, input }) => {
    return done(deleteSavedView(services, { by, ...input }));
  }),
});

/** Parameters that no longer exist are dropped. */
function known(params: Record<string, string>): ViewParams {
  return Object.fromEntries(VIEW_PARAMS.flatMap((param) => (params[param] === undefined ? [] : [[param, params[param]]])));
}
