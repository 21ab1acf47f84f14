import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { LIMIT_TRIED, TERMS } from "#server/console/rights-inputs-fixture.ts";
import { BLANK_RULE } from "#testing/factories.ts";
import { newAddress } from "#testing/transfers.ts";

/** What the console is asked on Citus: every question about settlements, callbacks and partners, with each way to narrow it down. */

const DAY_MS = 86_400_000;

type Known = {
  partnerId: string;
  apiKeyId: string;
  userId: string;
  chain: string;
  waiting: string;
  executed: string;
  batch: string;
  callback: string;
};
type Inputs = Record<string, unknown[]>;

/** The inputs of each question, by its name. One that takes no input is not here. */
export function consoleInputs(known: Known): Inputs {
  return { ...ofSettlements(known), ...ofDecisions(known), ...ofCallbacks(known), ...ofPartners(known) };
}

function around() {
  return { from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date(Date.now() + DAY_MS).toISOString() };
}

function ofSettlements({ partnerId, chain, waiting, executed, batch }: Known): Inputs {
  const { from, to } = around();
  const filters = [
    {},
    ...SETTLEMENT_VIEWS.map((view) => ({ view })),
    ...APPROVAL_CHOICES.map((approval) => ({ approval })),
    ...["pending", "delivered", "undelivered"].map((callbacks) => ({ callbacks })),
    { partner_id: partnerId, merchant: "merchant-1", batch_id: batch },
    { source_currency: "KES", destination_currency: "USDT", chain, amount_from: "1", amount_to: "100000" },
    { created_from: from, created_to: to, executed_from: from, executed_to: to },
    { decided_by_me: true },
    { lapsed: true },
    { failure: "x", failed_today: true },
    { processing_minutes: 1 },
  ];
  const clues = ["tx_id", "external_id", "merchant"].map((as) => ({ text: waiting, as }));
  return {
    "settlements.byId": [{ tx_id: waiting }, { tx_id: executed }],
    "settlements.count": filters,
    "settlements.exportSize": filters,
    "settlements.list": filters,
    "settlements.neighbours": filters.map((filter) => ({ ...filter, tx_id: executed })),
    "settlements.networkCost": [{ tx_id: waiting }],
    "settlements.paymentReceipt": [{ tx_id: executed }],
    "settlements.rows": [{ tx_ids: [waiting, executed] }],
    "settlements.search": [{ text: "merch" }, { text: newAddress(), as: "wallet" }, ...clues],
    "settlements.since": filters.map((filter) => ({ ...filter, cursor: null })),
  };
}

function ofDecisions({ partnerId, chain, waiting, executed, batch }: Known): Inputs {
  const policies = [[], [BLANK_RULE], [{ ...BLANK_RULE, hints: ["first_wallet_use", "wallet_changed", "repeated"] }]];
  const limit = { ...LIMIT_TRIED, mode: "enforce" };
  const free = { ...limit, counted_by: null, window: null, amount: null };
  const halts = { all: "*", partner: partnerId, chain, pair: `KES USDT ${chain}` };
  return {
    "approvalPolicy.demand": [{ tx_id: waiting }],
    "approvalPolicy.try": policies.map((rules) => ({ ...around(), rules, after: null })),
    "approvals.batchItems": [{ batch_id: batch }],
    "approvals.past": [{ tx_id: waiting }],
    "approvals.preview": [{ tx_id: waiting }],
    "approvals.risk": [{ tx_ids: [waiting, executed] }],
    "apiLog.list": [{}],
    "apiLog.since": [{ cursor: null }],
    "apiLog.summary": [{}],
    "audit.list": [{}, { action: "settlement.created" }],
    "audit.ofObject": [{ object_id: executed }],
    "exposure.tryHalt": Object.entries(halts).map(([lane_kind, lane_key]) => ({ lane_kind, lane_key })),
    "exposure.tryLimit": [
      { ...limit, kind: "velocity" },
      { ...free, kind: "new_destination", wait_hours: 24 },
      { ...free, kind: "allow_list", addresses: [newAddress()] },
    ],
  };
}

function ofCallbacks({ partnerId, executed, callback }: Known): Inputs {
  const { from, to } = around();
  const scopes = [{}, { partner_id: partnerId }];
  return {
    "callbacks.byId": [{ id: callback }],
    "callbacks.counts": scopes,
    "callbacks.endpoints": scopes,
    "callbacks.groups": ["undelivered", "retrying"].flatMap((state) => scopes.map((scope) => ({ ...scope, state }))),
    "callbacks.list": [
      ...scopes,
      ...["pending", "delivered", "undelivered"].map((state) => ({ state })),
      { cause: "http_500", origin: "http://localhost:9" },
      { subject_id: executed, event: "settlement.executed", created_from: from, created_to: to },
    ],
    "callbacks.previewResend": [...scopes, { callback_ids: [callback] }, { cause: "http_500", origin: "http://localhost:9", since: from }],
  };
}

function ofPartners({ partnerId, apiKeyId, userId, chain, executed, batch }: Known): Inputs {
  const month = { month: new Date().toISOString().slice(0, 7), partner_id: partnerId };
  const today = new Date().toISOString().slice(0, 10);
  const looks = [{ range: "24h" }, { range: "30d" }, { from: today, to: today }];
  const scopes = [{}, { partner_id: partnerId }];
  const pair = { source_currency: "KES", destination_currency: "USDT", chain, partner_id: null };
  return {
    "batches.byIds": [{ batch_ids: [batch] }],
    "batches.list": scopes,
    "bookings.list": [{ partner_id: partnerId }],
    "developers.callbackSecret": [{ partner_id: partnerId }],
    "developers.keys": [{ partner_id: partnerId }],
    "developers.revocation": [{ id: apiKeyId }],
    "developers.tryRevocation": [{ id: apiKeyId }],
    "fiat.topups": scopes,
    "fiat.withdrawals": scopes,
    "members.list": scopes,
    "overview.figures": looks,
    "overview.series": looks,
    "identity.choices": [{}, { company: "test" }],
    "partners.byId": [{ partner_id: partnerId }],
    "partners.list": [{}, { search: "Test", status: "active" }],
    "partners.slug": [{ slug: "a-new-one" }],
    "partners.wallet": [{ wallet_address: newAddress() }],
    "people.devices": [{ user_id: userId }],
    "people.list": [{}],
    "rates.convert": [{ from: "KES", to: "USDT", amount: "100" }],
    "rates.history": [pair],
    "rates.preview": [{ ...pair, terms: TERMS }],
    "safes.list": [{}],
    "statements.executed": [{ ...month, after: null }],
    "statements.month": [month],
    "statements.named": [{ ...month, names: [executed] }],
  };
}
