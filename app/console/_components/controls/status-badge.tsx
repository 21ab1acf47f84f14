"use client";

import { Ban, Check, Clock, ClockAlert, Hourglass, Loader, type LucideIcon, SendHorizontal, ShieldCheck, ShieldX, X } from "lucide-react";
import type { SettlementStatus } from "#domain/settlement.ts";
import { type SettlementView, viewOf } from "#domain/settlement-view.ts";
import { useNow } from "./clock.tsx";

/** The console's words for states: always a sign and a word, never a colour alone. */
type Sign = { word: string; icon: LucideIcon; tone: string };

const VIEWS: Record<SettlementView, Sign> = {
  quoted: { word: "Quoted", icon: Clock, tone: "quoted" },
  awaiting_approval: { word: "Awaiting approval", icon: Hourglass, tone: "pending" },
  approved: { word: "Approved", icon: ShieldCheck, tone: "approved" },
  lapsed: { word: "Quote lapsed", icon: ClockAlert, tone: "lapsed" },
  processing: { word: "Processing", icon: Loader, tone: "processing" },
  executed: { word: "Executed", icon: Check, tone: "executed" },
  failed: { word: "Failed", icon: X, tone: "failed" },
  cancelled: { word: "Cancelled", icon: Ban, tone: "cancelled" },
  rejected: { word: "Rejected", icon: ShieldX, tone: "rejected" },
};

export const VIEW_WORDS: Record<SettlementView, string> = Object.fromEntries(
  Object.entries(VIEWS).map(([view, { word }]) => [view, word]),
) as Record<SettlementView, string>;

/** A state of anything: `tone` is one of the state tokens (`executed`, `failed`, `pending`, …). */
export function Badge({ word, icon: Icon, tone, detail }: Sign & { detail?: string | undefined }) {
  return (
    <span className="badge" data-tone={tone}>
      <Icon aria-hidden size={14} />
      <span>
        {word}
        {detail && <span className="badge-detail"> {detail}</span>}
      </span>
    </span>
  );
}

type Shown = { status: SettlementStatus; approval_state: "pending" | "approved" | "rejected" | null; expires_at: string };

/** What a settlement is at this moment: it becomes "lapsed" by itself when its quote runs out. */
export function SettlementBadge({ settlement, detail }: { settlement: Shown; detail?: string }) {
  const view = useSettlementView(settlement);
  return <Badge {...VIEWS[view]} detail={detail} />;
}

export function useSettlementView({ status, approval_state: approvalState, expires_at: expiresAt }: Shown): SettlementView {
  const now = useNow(1_000);
  return viewOf({ status, approvalState, expiresAtMs: new Date(expiresAt).getTime() }, now);
}

type CallbackCounts = { pending: number; delivered: number; undelivered: number };

/** How a settlement's callbacks stand; nothing where there is none. */
export function CallbackBadge({ callbacks }: { callbacks: CallbackCounts }) {
  const { pending, delivered, undelivered } = callbacks;
  if (undelivered > 0) return <Badge word="Undelivered" icon={SendHorizontal} tone="undelivered" />;
  if (pending > 0) return <Badge word="Retrying" icon={SendHorizontal} tone="pending" />;
  if (delivered > 0)
    return (
      <span className="as-expected" title="Delivered">
        <Badge word="Delivered" icon={Check} tone="plain" />
      </span>
    );
  return <span className="none">–</span>;
}
