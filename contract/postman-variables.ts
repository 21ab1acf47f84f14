/** The variables of the Postman collection: what has to be filled in, and what requests leave behind for those that follow. */
export type Variable = { key: string; about: string };

/** The signing key, by caller. The secret of an operator's key is needed only with signed management. */
export const KEYS = {
  partner: { key: "api_key", secret: "api_secret" },
  operator: { key: "operator_api_key", secret: "operator_api_secret" },
} as const;

/** `yes` lets those requests go out that end a key or a secret. */
export const ALLOW_CHANGES = "allow_changes";

const FILLED_IN: readonly Variable[] = [
  { key: "base_url", about: "Where the service answers, without a slash at its end" },
  { key: KEYS.partner.key, about: "Your API key: key_test_… or key_live_…" },
  { key: KEYS.partner.secret, about: "Its secret: sec_…" },
  { key: KEYS.operator.key, about: "For the folder Operator alone: an operator’s API key" },
  { key: KEYS.operator.secret, about: "Its secret, where that key has signed_management; else empty" },
  { key: ALLOW_CHANGES, about: "yes: requests that rotate, revoke or delete are sent; anything else: they are skipped" },
];

/** Which answer sets which variable: by the operation's id, and the value's place in the answer. */
type Capture = { operation: string; key: string; at: string };
export const CAPTURES: readonly Capture[] = [
  { operation: "create_settlement", key: "tx_id", at: "tx_id" },
  { operation: "create_batch", key: "batch_id", at: "batch_id" },
  { operation: "list_events", key: "event_id", at: "data?.[0]?.id" },
  { operation: "create_event_destination", key: "destination_id", at: "id" },
  { operation: "list_callbacks", key: "callback_id", at: "data?.[0]?.id" },
  { operation: "create_member", key: "external_user_id", at: "external_user_id" },
  { operation: "withdraw_fiat", key: "withdrawal_id", at: "id" },
  { operation: "withdraw_fiat_for_registered_member", key: "withdrawal_id", at: "id" },
  { operation: "topup_fiat", key: "topup_id", at: "id" },
  { operation: "current_partner", key: "partner_id", at: "id" },
  { operation: "create_partner", key: "other_partner_id", at: "id" },
  { operation: "create_api_key", key: "api_key_id", at: "id" },
];

const LEFT_BEHIND: Readonly<Record<string, string>> = {
  tx_id: "A settlement",
  batch_id: "A batch",
  event_id: "An event; there is one for each change",
  destination_id: "An event destination",
  callback_id: "A callback of that settlement; there is none before it has ended",
  external_user_id: "A member, by your own reference",
  withdrawal_id: "A withdrawal: wd_…",
  topup_id: "A top-up: tu_…",
  partner_id: "Your own partner",
  other_partner_id: "The partner that an operator’s request is about",
  api_key_id: "An API key, by its id: one that you may rotate or revoke, and not the one that signs here",
};

/** Every variable that a request of the collection names. `nameOf`: what the operation of that id is called there. */
export function variables(baseUrl: string, nameOf: (operation: string) => string | undefined): object[] {
  const setBy = (key: string) => {
    const names = CAPTURES.filter((capture) => capture.key === key).flatMap(({ operation }) => nameOf(operation) ?? []);
    return names.length === 0 ? "" : `. Set by “${names.join("”, “")}”, or fill it in`;
  };
  return [
    ...FILLED_IN.map(({ key, about }) => ({ key, value: key === "base_url" ? baseUrl : "", description: about })),
    ...Object.entries(LEFT_BEHIND).map(([key, about]) => ({ key, value: "", description: about + setBy(key) })),
  ];
}

/** The variable for a path parameter: an `id` is prefixed by its object, and an operator's requests use other partners. */
export function variableFor(parameter: string, path: string, isOperators: boolean): string {
  if (parameter === "partner_id" && isOperators) return "other_partner_id";
  if (parameter !== "id") return parameter;
  const of = [
    ["/withdraw-fiat/", "withdrawal_id"],
    ["/topup-fiat/", "topup_id"],
    ["/api-keys/", "api_key_id"],
  ] as const;
  const found = of.find(([part]) => path.includes(part));
  if (found === undefined) throw new Error(`the collection has no variable for the id in ${path}`);
  return found[1];
}

/** An identifier must be new each time, or come from an earlier request. Postman fills it in. */
export function bodyText(example: unknown, operation: string): string {
  const text = JSON.stringify(example ?? {}, null, 2);
  const user = operation === "create_member" ? "{{$guid}}" : "{{external_user_id}}";
  return text
    .replace(/("(?:external_tx_id|external_batch_id|external_id)": )"[^"]*"/g, '$1"{{$guid}}"')
    .replace(/("external_user_id": )"[^"]*"/g, `$1"${user}"`)
    .replace(/^( {2}"phone": )"[^"]*"/gm, '$1"+254{{$timestamp}}"')
    .replace(/("slug": )"[^"]*"/g, '$1"partner-{{$guid}}"')
    .replace(/("username": )"[^"]*"/g, '$1"{{$guid}}@example.com"')
    .replace(/("tx_id": )"[^"]*"/g, '$1"{{tx_id}}"')
    .replace(/("partner_id": )"[^"]*"/g, '$1"{{other_partner_id}}"')
    .replace(/"expected_(?:destination_amount|total)": (?:[\d.]+|\{[^}]*\}),\s*/g, "")
    .replace(/,?\s*"expected_(?:destination_amount|total)": (?:[\d.]+|\{[^}]*\})/g, "");
}
