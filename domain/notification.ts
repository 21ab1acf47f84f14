import type { UserRole } from "./access.ts";
import { ID_PREFIXES } from "./ids.ts";

/** The kinds of notifications. */
export const NOTIFICATION_KINDS = [
  "approval_waits",
  "second_yes",
  "decision_overdue",
  "decision_for_absent",
  "callback_gave_up",
  "low_balance",
  "lane_halted",
  "new_place",
  "account_changed",
  "key_changed",
  "hold_released",
  "payee_waits",
  "destination_paused",
  "decided",
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** By which roads: `console` is the bell. */
export const CHANNELS = ["console", "mail", "webhook"] as const;
/** The external channels. */
export const OUTSIDE = ["mail", "webhook"] as const;
export type Outside = (typeof OUTSIDE)[number];

/** A person's channels for a kind. */
export type Rule = Record<(typeof CHANNELS)[number], boolean>;
/** The defaults: nothing is sent through external channels. */
const USUAL_RULE: Rule = { console: true, mail: false, webhook: false };
/** Of sign-ins from new places, of what happens to accounts and keys, of released payments and of a new payee, a mail goes out as well, whatever the person has chosen: the choice may be a thief's. */
const SECURITY_RULE: Rule = { console: true, mail: true, webhook: false };

/** What a chat hears of a decision that it was asked for: no other channel needs it. */
const FOLLOW_UP_RULE: Rule = { console: false, mail: false, webhook: true };
const FIXED_RULES: Readonly<Partial<Record<NotificationKind, Rule>>> = {
  new_place: SECURITY_RULE,
  account_changed: SECURITY_RULE,
  key_changed: SECURITY_RULE,
  hold_released: SECURITY_RULE,
  payee_waits: SECURITY_RULE,
  decided: FOLLOW_UP_RULE,
};

/** Whether its channels are not the person's choice. */
export function isFixed(kind: NotificationKind): boolean {
  return kind in FIXED_RULES;
}

/** The channels for a kind. `chosen`: the person's own choice, if there is one. */
export function ruleOf(kind: NotificationKind, chosen: Rule | null | undefined): Rule {
  return FIXED_RULES[kind] ?? chosen ?? USUAL_RULE;
}

const DECIDERS: readonly UserRole[] = ["admin", "approver"];
const OPERATORS: readonly UserRole[] = ["admin", "approver", "viewer"];
const EVERYBODY: readonly UserRole[] = [...OPERATORS, "owner", "staff"];

/** Who may get a kind. */
export const NOTIFIED_ROLES: Readonly<Record<NotificationKind, readonly UserRole[]>> = {
  approval_waits: DECIDERS,
  second_yes: DECIDERS,
  decision_overdue: DECIDERS,
  decision_for_absent: DECIDERS,
  callback_gave_up: EVERYBODY,
  low_balance: OPERATORS,
  lane_halted: OPERATORS,
  new_place: EVERYBODY,
  account_changed: EVERYBODY,
  key_changed: ["admin", "owner"],
  hold_released: ["admin"],
  payee_waits: ["owner"],
  destination_paused: EVERYBODY,
  decided: DECIDERS,
};

/** Whether it asks for a decision about a settlement or a proposal. */
export function isDecision(kind: NotificationKind): boolean {
  return ["approval_waits", "second_yes", "decision_overdue", "decision_for_absent"].includes(kind);
}

export function mayNotify(role: UserRole, kind: NotificationKind): boolean {
  return NOTIFIED_ROLES[kind].includes(role);
}

/** A fact to notify. `detail` names it in a word that its readers may see: a partner, a receiver's host, a wallet. */
export type Notice = { kind: NotificationKind; subjectId: string; detail: string };

/** In one sentence, with nothing in it that is secret. */
export function sentenceOf({ kind, subjectId, detail }: Notice): string {
  switch (kind) {
    case "approval_waits":
      return `A settlement of ${detail} waits for approval: ${subjectId}`;
    case "second_yes":
      return isProposal(subjectId)
        ? `A proposal waits for a second person: ${detail}`
        : `A settlement of ${detail} waits for a second approval: ${subjectId}`;
    case "decision_overdue":
      return `A decision is overdue, and you are the next to be asked: ${detail}`;
    case "decision_for_absent":
      return `A decision waits, and you are the substitute: ${detail}`;
    case "callback_gave_up":
      return `The service gave up callbacks to ${detail} after six attempts`;
    case "low_balance":
      return `A treasury wallet runs low: ${detail}`;
    case "lane_halted":
      return `Payments have been halted: ${detail}`;
    case "new_place":
      return `Someone signed in to your account from a new place: ${detail}`;
    case "destination_paused":
      return `An event destination was paused after a day of failures: ${detail}`;
    case "payee_waits":
      return `A payout to a new payee waits: ${detail}`;
    case "account_changed":
    case "key_changed":
    case "hold_released":
    case "decided":
      return detail;
  }
}

/** The page of the console where it can be dealt with. */
export function pageOf({ kind, subjectId }: Notice): string {
  switch (kind) {
    case "approval_waits":
      return `/console/approvals?tx=${encodeURIComponent(subjectId)}`;
    case "second_yes":
    case "decision_overdue":
    case "decision_for_absent":
      return decisionPageOf(subjectId);
    case "decided":
      return isSettlement(subjectId) ? `/console/settlements/${encodeURIComponent(subjectId)}` : decisionPageOf(subjectId);
    case "callback_gave_up":
      return `/console/callbacks/${encodeURIComponent(subjectId)}`;
    case "low_balance":
    case "lane_halted":
    case "hold_released":
      return "/console/treasury";
    case "new_place":
    case "account_changed":
      return "/console/account";
    case "key_changed":
    case "destination_paused":
      return "/console/developers";
    case "payee_waits":
      return `/console/fiat/withdrawals/${encodeURIComponent(subjectId)}`;
  }
}

/** Where a decision is made, by the prefix of what it is about. */
function decisionPageOf(subjectId: string): string {
  const id = encodeURIComponent(subjectId);
  switch (subjectId.split("_")[0]) {
    case ID_PREFIXES.proposal:
      return "/console/proposals";
    case ID_PREFIXES.batch:
      return "/console/approvals?tab=batches";
    case ID_PREFIXES.hold:
    case ID_PREFIXES.transfer:
      return "/console/treasury";
    case ID_PREFIXES.withdrawal:
      return `/console/fiat/withdrawals/${id}`;
    case ID_PREFIXES.topup:
      return `/console/fiat/topups/${id}`;
    default:
      return `/console/approvals?tx=${id}`;
  }
}

function isSettlement(subjectId: string): boolean {
  return subjectId.startsWith(`${ID_PREFIXES.settlement}_`);
}

/** What became of a subject that people decide. */
export type SubjectOutcome = "open" | "approved" | "rejected" | "carried_out" | "withdrawn" | "closed";
const OUTCOME_WORDS: Readonly<Record<SubjectOutcome, string>> = {
  open: "Decided",
  approved: "Approved",
  rejected: "Rejected",
  carried_out: "Confirmed",
  withdrawn: "Withdrawn",
  closed: "Nothing is left to decide",
};

/** The follow-up to a chat that was asked for a decision. `by`: who decided; null: the service, or not known. */
export function followUpOf(
  outcome: SubjectOutcome,
  by: string | null,
  { subjectId, detail }: Pick<Notice, "subjectId" | "detail">,
): string {
  const decided = by === null || outcome === "closed" ? OUTCOME_WORDS[outcome] : `${OUTCOME_WORDS[outcome]} by ${by}`;
  return `${decided}: ${detail}, ${subjectId}`;
}

function isProposal(subjectId: string): boolean {
  return subjectId.startsWith(`${ID_PREFIXES.proposal}_`);
}

/** The seconds until the next try after each failure; then it is given up. */
const RETRY_SECONDS = [60, 300, 1_800, 7_200] as const;
export const MOST_TRIES = RETRY_SECONDS.length + 1;

/** When to try again after the try of that number (1 is the first); null: no more. */
export function tryAgainAt(tries: number, now: Date): Date | null {
  const seconds = RETRY_SECONDS[tries - 1];
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1_000);
}

/** What goes out: one line for each fact, and where it can be dealt with. */
export type Letter = { title: string; lines: readonly { text: string; url: string }[] };

export function letterOf(notices: readonly Notice[], { baseUrl, brand }: { baseUrl: string; brand: string }): Letter {
  const lines = notices.map((each) => ({ text: sentenceOf(each), url: `${baseUrl}${pageOf(each)}` }));
  const [first] = lines;
  const asked = notices.filter(({ kind }) => kind !== "decided").length;
  const several = asked === 0 ? `${lines.length} decisions were made` : `${lines.length} things that want you`;
  const title = lines.length === 1 && first !== undefined ? first.text : several;
  return { title: `${brand}: ${title}`, lines };
}

/** For chat programs (Slack's format): text in which three characters are escaped. */
export function slackOf({ title, lines }: Letter): { text: string } {
  const plain = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const rows = lines.map(({ text, url }) => `• <${url}|${plain(text)}>`);
  return { text: [`*${plain(title)}*`, ...rows].join("\n") };
}

/** Mail to people. `id`: the same at every try at one mail. */
export type Mailer = {
  /** Whether this installation sends any. */
  available: boolean;
  /**
   * Within its own deadline, whatever the server does. Never throws. `refused`: permanently. It does not pass on any text of the server.
   */
  send(mail: {
    id: string;
    to: string;
    subject: string;
    text: string;
  }): Promise<{ outcome: "sent" } | { outcome: "refused" | "unreachable"; trouble: string }>;
};
