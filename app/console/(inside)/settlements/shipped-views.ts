import type { ViewParams } from "#domain/settlement-view.ts";
import type { Answers } from "#server/console/router.ts";

type ShippedView = { id: string; name: string; params: ViewParams; operatorOnly?: boolean };
export type SavedView = Answers["savedViews"]["list"][number];
export type View = ShippedView | SavedView;

/** What everybody finds there; their ids stand in addresses and stay as they are. */
export const DEFAULT_VIEWS: readonly ShippedView[] = [
  { id: "needs-approval", name: "Needs approval", params: { view: "awaiting_approval" } },
  { id: "processing-long", name: "Processing > 10 min", params: { view: "processing", processing: "10" } },
  { id: "failed-today", name: "Failed today", params: { failed: "today" } },
  { id: "lapsed-after-approval", name: "Lapsed after approval", params: { view: "lapsed", approval: "approved" } },
  { id: "undelivered", name: "Undelivered", params: { callbacks: "undelivered" } },
  { id: "decided-by-me", name: "Decided by me", params: { mine: "decided" }, operatorOnly: true },
];
