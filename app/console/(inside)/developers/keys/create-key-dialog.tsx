import { useForm } from "react-hook-form";
import { addressOrRange } from "#contract/primitives.ts";
import { type Scope, scopesOf } from "#domain/access.ts";
import { Select, TextArea, TextField } from "../../../_components/controls/field.tsx";
import { DialogButtons } from "../../../_components/dialogs/deed-dialog.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { Refused, useDeed } from "../../../_components/dialogs/use-deed.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { keyOnce } from "./first-call.ts";

const SCOPE_WORDS: Record<Scope, string> = {
  "settlements:read": "Read settlements",
  "settlements:write": "Create, confirm and cancel settlements",
  "partner:read": "Read members, fiat and transactions",
  "partner:write": "Change members, move fiat, manage keys",
  "settlements:decide": "Approve and reject settlements",
  "partners:admin": "Manage partners, keys and people",
  treasury: "Move what the treasury pays for, such as Safes",
  read: "Read everything",
};
const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "On a day of my choice" },
];

/** `mode`: in live mode a key signs what it changes, unless said otherwise. */
type Props = { partnerId: string | null; mode: "live" | "test"; onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

export function CreateKeyDialog(props: Props) {
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title="Create API key">
      <CreateKey {...props} />
    </Dialog>
  );
}

type Form = { name: string; scopes: Scope[]; addresses: string; lifetime: string; day: string; signs: boolean };

function CreateKey({ partnerId, mode, onClose, onIssued }: Props) {
  const client = useTRPCClient();
  const deed = useDeed();
  const form = useForm<Form>({
    mode: "onTouched",
    defaultValues: { name: "", scopes: [...firstScopes(partnerId)], addresses: "", lifetime: "", day: "", signs: mode === "live" },
  });
  const { register, handleSubmit, watch, formState } = form;
  const { errors } = formState;
  const submit = handleSubmit(async ({ name, scopes, addresses, lifetime, day, signs }) => {
    const input = {
      partner_id: partnerId,
      name: name.trim(),
      scopes,
      allowed_ips: listed(addresses),
      expires_at: endOf(lifetime, day),
      signed_management: signs,
    };
    await deed.run(
      () => client.developers.createKey.mutate(input),
      (key, hasLeft) => {
        const what = key.proposal_id === null ? "created" : "proposed: it works once another admin has confirmed it";
        onIssued(keyOnce(key, `Key “${key.name}” ${what}`));
        if (!hasLeft) onClose();
      },
    );
  });
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {deed.error !== null && <Refused error={deed.error} />}
      <TextField
        label="Name"
        hint="Where it will be used, such as “Checkout, production”"
        maxLength={128}
        autoComplete="off"
        error={errors.name?.message}
        {...register("name", { validate: (text) => text.trim() !== "" || "Give it a name: you will know it by that when you revoke it" })}
      />
      <fieldset className="reasons scope-choice">
        <legend className="field-label">It may</legend>
        {scopesOf(partnerId).map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              value={scope}
              {...register("scopes", { validate: (chosen) => chosen.length > 0 || "Choose at least one" })}
            />
            <span>
              {SCOPE_WORDS[scope]} <code className="muted">{scope}</code>
            </span>
          </label>
        ))}
        {errors.scopes && (
          <p className="field-error" role="alert">
            {errors.scopes.message}
          </p>
        )}
      </fieldset>
      <label className="check">
        <input type="checkbox" {...register("signs")} />
        <span>
          Signs what it changes <span className="muted">Alone, without its secret, it only reads outside of /api/v1</span>
        </span>
      </label>
      <TextArea
        label="Allowed addresses"
        hint="IP addresses or CIDR ranges, one a line; empty allows any"
        spellCheck={false}
        error={errors.addresses?.message}
        {...register("addresses", { validate: judgeAddresses })}
      />
      <Select label="Expires" choices={LIFETIMES} {...register("lifetime")} />
      {watch("lifetime") === "date" && (
        <TextField
          label="Day (UTC); it ends when that day does"
          type="date"
          error={errors.day?.message}
          {...register("day", { validate: (day) => endOf("date", day) !== null || "Choose a day from today on" })}
        />
      )}
      <DialogButtons onCancel={onClose} pending={deed.pending}>
        Create key
      </DialogButtons>
    </form>
  );
}

/** What a form begins with: an operator's key that may do more says so. */
function firstScopes(partnerId: string | null): readonly Scope[] {
  return partnerId === null ? ["read"] : scopesOf(partnerId);
}

function listed(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((each) => each !== ""))];
}

const MAX_ADDRESSES = 100;

function judgeAddresses(text: string): string | true {
  const all = listed(text);
  const wrong = all.filter((each) => !addressOrRange.safeParse(each).success);
  if (wrong.length > 0) return `${wrong.slice(0, 3).join(", ")}: no IP address or CIDR range such as 203.0.113.0/24`;
  return all.length <= MAX_ADDRESSES || `At most ${MAX_ADDRESSES}; use ranges`;
}

const DAY_MS = 86_400_000;

/** The instant at which a key is to end; null: never, or for a day that is over or none. */
function endOf(lifetime: string, day: string): string | null {
  if (lifetime === "") return null;
  if (lifetime !== "date") return new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
  const end = new Date(`${day}T00:00:00.000Z`).getTime() + DAY_MS;
  return Number.isNaN(end) || end <= Date.now() ? null : new Date(end).toISOString();
}
