import { OPERATIONS } from "#sdk/typescript/src/generated/operations.ts";

/** A request in the scenarios. */
export type Call = {
  /** `create`, `confirm`, `get` (of whatever it made), `time`, or the operation's id; `unknown`: there is none. */
  operation: string;
  body: string;
  /** The settlement or batch that it names, and the reference that it is confirmed under. */
  txId: string | null;
  externalTxId: string | null;
};

const NAMES: Readonly<Record<string, string>> = {
  create_settlement: "create",
  confirm_settlement: "confirm",
  confirm_one_settlement: "confirm",
  create_batch: "create",
  confirm_batch: "confirm",
  get_batch: "get",
  get_settlement: "get",
  withdraw_fiat: "create",
  withdraw_fiat_for_registered_member: "create",
  withdraw_fiat_status: "get",
  topup_fiat: "create",
  topup_fiat_status: "get",
  get_time: "time",
};

const PATTERNS = Object.entries(OPERATIONS).map(
  ([id, { method, path }]) => [NAMES[id] ?? id, method, new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]+)")}$`)] as const,
);

export function readCall(method: string, target: string, bytes: Buffer): Call {
  const [path = ""] = target.split("?");
  const body = bytes.toString("utf8");
  const members = membersOf(body);
  for (const [operation, known, pattern] of PATTERNS) {
    const found = method === known ? pattern.exec(path) : null;
    if (found !== null) return { operation, body, txId: found[1] ?? members.tx_id, externalTxId: members.external_tx_id };
  }
  return { operation: "unknown", body, txId: null, externalTxId: null };
}

function membersOf(body: string): { tx_id: string | null; external_tx_id: string | null } {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  try {
    const { tx_id, external_tx_id } = Object(JSON.parse(body));
    return { tx_id: text(tx_id), external_tx_id: text(external_tx_id) };
  } catch {
    return { tx_id: null, external_tx_id: null };
  }
}
