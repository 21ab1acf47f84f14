/**
 * `node scripts/lifecycle.ts` writes docs/lifecycle.md from the table that the service obeys (domain/lifecycle.ts);
 * `--check` writes nothing and fails when the page on disk says something else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FiatStatus } from "#domain/fiat.ts";
import { isOpenLapsing, LAPSING_LIFECYCLE, LAPSING_STATES, type LapsingActionType, type LapsingLifecycleRow } from "#domain/lapsing.ts";
import {
  ACTION_TYPES,
  type ActionType,
  INITIAL_STATES,
  LIFECYCLE,
  type LifecycleRow,
  type LifecycleState,
  listSteps,
} from "#domain/lifecycle.ts";
import { TOPUP_LIFECYCLE, TOPUP_STEP_STATUS, type TopupActionType } from "#domain/topup.ts";
import { WITHDRAWAL_LIFECYCLE, WITHDRAWAL_STEP_FACTS, type WithdrawalActionType } from "#domain/withdrawal.ts";

const PAGE = fileURLToPath(new URL("../docs/lifecycle.md", import.meta.url));

/** What no table can say: who acts, and on which condition beyond the state. */
const STORY: Record<ActionType, { who: string; onlyIf: string }> = {
  approve: {
    who: "an operator; above the second threshold of the terms it was quoted under, two different ones",
    onlyIf: "a fresh rate exists: the settlement is priced again and `expires_at` is set again. The first of two approvals changes nothing",
  },
  reject: { who: "an operator; the system, once it has been pending for 7 days", onlyIf: "" },
  confirm: { who: "the partner", onlyIf: "before `expires_at`; at that very instant it is too late (410 `quote_expired`)" },
  cancel: { who: "the partner", onlyIf: "" },
  execute: { who: "the chain", onlyIf: "the transfer is final" },
  fail: { who: "the chain", onlyIf: "the chain proves that nothing will be paid; silence is never a failure" },
};

type FiatStory = { who: string; means: string };

const WITHDRAWAL_STORY: Record<WithdrawalActionType, FiatStory> = {
  sweep: { who: "the worker", means: "the service owes the transfer that takes the crypto out of the Safe" },
  give_up: { who: "the chain", means: "the chain proves that the Safe is not ours, or has too little: nothing is taken" },
  cancel: { who: "the partner", means: "it wants no payout, and nothing has moved" },
  cancel_sweep: { who: "the partner", means: "the same, if no transaction was signed for the sweep" },
  take: { who: "the chain", means: "the sweep is final; from now on the service asks the provider to pay out" },
  fail_sweep: { who: "the chain", means: "the sweep was reverted or refused: nothing was taken" },
  pay: { who: "the provider", means: "it has paid out" },
  fail_payout: { who: "the provider", means: "it will not pay out: the service owes the crypto back to the Safe" },
  return: { who: "the chain", means: "the crypto is back in the Safe, final" },
  fail_return: { who: "the chain", means: "the crypto cannot be returned: people settle it" },
};

const TOPUP_STORY: Record<TopupActionType, FiatStory> = {
  collect: { who: "the provider", means: "it has collected the fiat: the service owes the crypto" },
  fail_collection: { who: "the provider", means: "nobody paid" },
  expire: { who: "the clock", means: "nobody paid in time; the service asks the provider before it decides" },
  cancel: { who: "the partner", means: "it wants no top-up, and the provider was not asked to collect" },
  deliver: { who: "the chain", means: "the crypto is in the wallet, final" },
  fail_delivery: { who: "the chain", means: "the wallet cannot be paid: people settle it" },
};

const LAPSING_STORY: Record<LapsingActionType, string> = {
  send: "a node takes the bytes; they are stored, so a retry sends the same ones",
  see: "a block that is not final contains it",
  drop: "that block is gone, and no other contains it",
  pay: "a final block contains it, and it moved what is owed",
  fail: "a final block contains it, it moved nothing, and two nodes say so where two are configured",
  lapse:
    "the final chain is past the expiry, the id is absent from a complete history of that time, and two nodes say so where two are configured. The payment may be signed again",
};

/** The life of an attempt whose bytes lapse. */
function lapsingLife(): string {
  const rows = Object.entries(LAPSING_LIFECYCLE) as [LapsingActionType, LapsingLifecycleRow][];
  const arrows = rows.flatMap(([action, { from, to }]) => from.map((state) => `  ${state} --> ${to}: ${action}`));
  const ends = LAPSING_STATES.filter((state) => !isOpenLapsing(state)).map((state) => `  ${state} --> [*]`);
  const lines = rows.map(([action, { from, to }]) => [action, LAPSING_STORY[action], from.join(", "), to]);
  return `${table(["Action", "Only if", "From", "To"], lines)}

\`\`\`mermaid
${["stateDiagram-v2", "  [*] --> stored", ...arrows, ...ends].join("\n")}
\`\`\``;
}

type FiatRow = { from: string; to: string; callback: string | null };

/** A fiat lifecycle as a table and a diagram. `statusOf`: what the wire shows of a step. */
function fiatLife(rows: Record<string, FiatRow>, story: Record<string, FiatStory>, statusOf: Record<string, FiatStatus>): string {
  const shown = (step: string) => `${step} (${statusOf[step]})`;
  const lines = Object.entries(rows).map(([action, { from, to, callback }]) => {
    const { who = "", means = "" } = story[action] ?? {};
    return [action, who, means, shown(from), shown(to), callback === null ? "none" : `\`${callback}\``];
  });
  const steps = Object.keys(statusOf);
  const left = new Set(Object.values(rows).map(({ from }) => from));
  const arrows = Object.entries(rows).map(([action, { from, to }]) => `  ${from} --> ${to}: ${action}`);
  const ends = steps.filter((step) => !left.has(step)).map((step) => `  ${step} --> [*]`);
  return `${table(["Action", "By", "It means", "From", "To", "Callback"], lines)}

\`\`\`mermaid
${["stateDiagram-v2", `  [*] --> ${steps[0]}`, ...arrows, ...ends].join("\n")}
\`\`\``;
}

function main(): number {
  const page = render();
  if (!process.argv.includes("--check")) {
    writeFileSync(PAGE, page);
    return 0;
  }
  if (readPage() === page) return 0;
  process.stderr.write("docs/lifecycle.md differs from the lifecycle in the code: run `node scripts/lifecycle.ts`.\n");
  return 1;
}

function render(): string {
  const rows = ACTION_TYPES.map((action) => {
    const row: LifecycleRow = LIFECYCLE[action];
    const { who, onlyIf } = STORY[action];
    const approval = row.approval.map((state) => state ?? "null").join(", ");
    return [action, who, row.from, approval, onlyIf, row.to, row.approvalBecomes, row.callback === null ? "none" : `\`${row.callback}\``];
  });
  const withdrawalStatuses = Object.fromEntries(Object.entries(WITHDRAWAL_STEP_FACTS).map(([step, { status }]) => [step, status]));
  return `# The life of a settlement

Generated from \`domain/{lifecycle,withdrawal,topup,lapsing}.ts\` by \`node scripts/lifecycle.ts\`: change the tables there, never this page.

${table(["Action", "By", "From", "Approval state", "Only if", "To", "Approval becomes", "Callback"], rows)}

The service refuses every other action with 409. A confirm before an operator has decided gets \`approval_pending\`, even if
the quote has expired. Everything else gets \`invalid_state\`. A repeat of confirm or cancel gets the settlement in its present state.
The callback of an approval is sent only if the creation named a \`callback_url\`. There is no status for an expired quote,
because expiry depends only on the clock.

\`\`\`mermaid
${diagram()}
\`\`\`

## Every legal combination

The database refuses a settlement in any other combination.

${table(
  ["Status", "Approval state", "What may happen next"],
  listStates().map((state) => [state.status, state.approvalState ?? "null", actionsFrom(state).join(", ") || "nothing: it is over"]),
)}

# The life of a withdrawal

The status on the wire is in brackets. The service records everything else that the provider says, without effect.

${fiatLife(WITHDRAWAL_LIFECYCLE, WITHDRAWAL_STORY, withdrawalStatuses)}

The pool reserves the amount in the steps ${list(Object.entries(WITHDRAWAL_STEP_FACTS).flatMap(([step, { holdsPool }]) => (holdsPool ? [step] : [])))}.

# The life of a top-up

${fiatLife(TOPUP_LIFECYCLE, TOPUP_STORY, TOPUP_STEP_STATUS)}

# The life of an attempt that lapses

On some chains no block may include a signed payment after its expiry. \`domain/lapsing-report.ts\` judges what the nodes report. Silence
proves nothing. Where nodes contradict each other, the payment waits.

${lapsingLife()}
`;
}

function diagram(): string {
  const states = listStates();
  return [
    "stateDiagram-v2",
    ...states.map((state) => `  state "${title(state)}" as ${nameOf(state)}`),
    ...INITIAL_STATES.map((state) => `  [*] --> ${nameOf(state)}: create${state.approvalState === null ? "" : " above the maximum"}`),
    ...listSteps().map(({ from, action, to }) => `  ${nameOf(from)} --> ${nameOf(to)}: ${action}`),
    ...states.filter((state) => actionsFrom(state).length === 0).map((state) => `  ${nameOf(state)} --> [*]`),
  ].join("\n");
}

function listStates(): LifecycleState[] {
  const all = [...INITIAL_STATES, ...listSteps().map((step) => step.to)];
  return all.filter((state, index) => all.findIndex((other) => nameOf(other) === nameOf(state)) === index);
}

function actionsFrom(state: LifecycleState): ActionType[] {
  return listSteps().flatMap(({ from, action }) => (nameOf(from) === nameOf(state) ? [action] : []));
}

function nameOf({ status, approvalState }: LifecycleState): string {
  return approvalState === null ? status : `${status}_${approvalState}`;
}

function title({ status, approvalState }: LifecycleState): string {
  return approvalState === null ? status : `${status} (${approvalState})`;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function list(names: string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function readPage(): string | null {
  try {
    return readFileSync(PAGE, "utf8");
  } catch {
    return null;
  }
}

process.exitCode = main();
