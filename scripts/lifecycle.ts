/**
 * `node scripts/lifecycle.ts` writes docs/lifecycle.md from the table that the service obeys (server/domain/lifecycle.ts);
 * `--check` writes nothing and fails when the page on disk says something else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  ACTION_TYPES,
  type ActionType,
  INITIAL_STATES,
  LIFECYCLE,
  type LifecycleRow,
  type LifecycleState,
  listSteps,
} from "#server/domain/lifecycle.ts";

const PAGE = fileURLToPath(new URL("../docs/lifecycle.md", import.meta.url));

/** What no table can say: who acts, and on which condition beyond the state. */
const STORY: Record<ActionType, { who: string; onlyIf: string }> = {
  approve: { who: "an operator", onlyIf: "a fresh rate exists: the settlement is priced anew and `expires_at` is set anew" },
  reject: { who: "an operator; the system, once it has been pending for 7 days", onlyIf: "" },
  confirm: { who: "the partner", onlyIf: "before `expires_at`; at that very instant it is too late (410 `quote_expired`)" },
  cancel: { who: "the partner", onlyIf: "" },
  execute: { who: "the chain", onlyIf: "the transfer is final" },
  fail: { who: "the chain", onlyIf: "it is a fact that nothing will be paid; silence is never a failure" },
};

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
  return `# The life of a settlement

Generated from \`server/domain/lifecycle.ts\` by \`node scripts/lifecycle.ts\`: change the table there, never this page.

${table(["Action", "By", "From", "Approval state", "Only if", "To", "Approval becomes", "Callback"], rows)}

Whatever is not in the table is refused with 409: \`approval_pending\` for a confirm before an operator has decided, whether or not
the quote has run out, and \`invalid_state\` for everything else. A repeat of confirm or cancel is answered with the settlement as it stands.
The callback of an approval is sent only where a \`callback_url\` was given at creation. There is no status for an expired quote:
expiry is a question about the clock.

\`\`\`mermaid
${diagram()}
\`\`\`

## Every legal combination

The database refuses a settlement in any other.

${table(
  ["Status", "Approval state", "What may happen next"],
  listStates().map((state) => [state.status, state.approvalState ?? "null", actionsFrom(state).join(", ") || "nothing: it is over"]),
)}
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

function readPage(): string | null {
  try {
    return readFileSync(PAGE, "utf8");
  } catch {
    return null;
  }
}

process.exitCode = main();
