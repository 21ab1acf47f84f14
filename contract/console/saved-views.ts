import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { type SavedViewWire, VIEW_PARAMS } from "./view-params.ts";

const name = plainText(1, 60).refine((text) => text.trim() === text, { error: "must not begin or end with a space" });
const params = z.partialRecord(z.enum(VIEW_PARAMS), plainText(1, 256));
const id = plainText(1, 64);

export const newSavedView = z.strictObject({ name, shared: z.boolean(), params });
export const changedSavedView = z.strictObject({
  id,
  name: name.optional(),
  shared: z.boolean().optional(),
  params: params.optional(),
});
export const oneSavedView = z.strictObject({ id });

type Kept = { id: string; name: string; shared: boolean; ownerId: string; ownerName: string; params: Record<string, string> };

/** What was kept under a name that is no parameter any more is left out. */
export function renderSavedView(view: Kept, userId: string): SavedViewWire {
  const known = VIEW_PARAMS.flatMap((param) => (view.params[param] === undefined ? [] : [[param, view.params[param]]]));
  return {
    id: view.id,
    name: view.name,
    shared: view.shared,
    own: view.ownerId === userId,
    owner: view.ownerName,
    params: Object.fromEntries(known),
  };
}
