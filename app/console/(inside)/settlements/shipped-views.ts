import type { ViewParams } from "#domain/settlement-view.ts";
import type { Answers } from "#server/console/router.ts";
import type { WithShared } from "../../_words/shared.ts";
import type { SHIPPED_VIEWS } from "./words.ts";

type Translations = WithShared<typeof SHIPPED_VIEWS>;

type ShippedView = { id: string; name: string; params: ViewParams; operatorOnly?: boolean };
export type SavedView = Answers["savedViews"]["list"][number];
export type View = ShippedView | SavedView;

/** The views that everybody has. Their ids are in URLs and never change. */
export const shippedViews = (t: Translations): readonly ShippedView[] => [
  { id: "needs-approval", name: t.needsApproval, params: { view: "awaiting_approval" } },
  { id: "processing-long", name: t.processing10Min, params: { view: "processing", processing: "10" } },
  { id: "failed-today", name: t.failedToday, params: { failed: "today" } },
  { id: "lapsed-after-approval", name: t.lapsedAfterApproval, params: { view: "lapsed", approval: "approved" } },
  { id: "undelivered", name: t.undelivered, params: { callbacks: "undelivered" } },
  { id: "decided-by-me", name: t.decidedByMe, params: { mine: "decided" }, operatorOnly: true },
];
