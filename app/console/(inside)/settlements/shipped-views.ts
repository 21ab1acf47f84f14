import type { ViewParams } from "#domain/settlement-view.ts";
import type { Answers } from "#server/console/router.ts";
import type { SHIPPED_VIEWS } from "./words.ts";

type Says = typeof SHIPPED_VIEWS;

type ShippedView = { id: string; name: string; params: ViewParams; operatorOnly?: boolean };
export type SavedView = Answers["savedViews"]["list"][number];
export type View = ShippedView | SavedView;

/** What everybody finds there; their ids stand in addresses and stay as they are. */
export const shippedViews = (says: Says): readonly ShippedView[] => [
  { id: "needs-approval", name: says.needsApproval, params: { view: "awaiting_approval" } },
  { id: "processing-long", name: says.processing10Min, params: { view: "processing", processing: "10" } },
  { id: "failed-today", name: says.failedToday, params: { failed: "today" } },
  { id: "lapsed-after-approval", name: says.lapsedAfterApproval, params: { view: "lapsed", approval: "approved" } },
  { id: "undelivered", name: says.undelivered, params: { callbacks: "undelivered" } },
  { id: "decided-by-me", name: says.decidedByMe, params: { mine: "decided" }, operatorOnly: true },
];
