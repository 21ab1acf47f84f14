import { changedSavedView, newSavedView, oneSavedView, renderSavedView } from "#contract/console/saved-views.ts";
import { personProcedure, router } from "#server/console/trpc/init.ts";
import { createSavedView } from "#server/services/saved-views/create-saved-view.ts";
import { deleteSavedView } from "#server/services/saved-views/delete-saved-view.ts";
import { listSavedViews } from "#server/services/saved-views/list-saved-views.ts";
import { updateSavedView } from "#server/services/saved-views/update-saved-view.ts";

/** Views of the settlements list under a name: everybody's own, and what is shared within one's organisation. */
export const savedViewsRouter = router({
  list: personProcedure.query(async ({ ctx: { services, holder } }) => {
    return (await listSavedViews(services, holder)).map((view) => renderSavedView(view, holder.userId));
  }),

  create: personProcedure.input(newSavedView).mutation(async ({ ctx: { services, by }, input }) => {
    return { id: await createSavedView(services, { by, ...input }) };
  }),

  update: personProcedure.input(changedSavedView).mutation(async ({ ctx: { services, by }, input }) => {
    const { id, name, shared, params } = input;
    const change = { ...(name !== undefined && { name }), ...(shared !== undefined && { shared }), ...(params && { params }) };
    await updateSavedView(services, { by, id, change });
    return {};
  }),

  delete: personProcedure.input(oneSavedView).mutation(async ({ ctx: { services, by }, input }) => {
    await deleteSavedView(services, { by, id: input.id });
    return {};
  }),
});
