import { useState } from "react";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { SuspenseOrder } from "./answers.ts";
import { SUSPENSE_DIALOG } from "./suspense-words.ts";

type Props = { order: SuspenseOrder; onClose: () => void; onGiven: () => void };
type Fields = Record<"token" | "hash" | "amount" | "entry", string>;

const tokenName = ({ chain, currency }: { chain: string; currency: string }) => `${currency} ${chain}`;

function fieldsOf(order: SuspenseOrder): Fields {
  if (order.what !== "declare") return { token: "", hash: "", amount: "", entry: "" };
  const { line, tokens } = order;
  const token = line ?? tokens[0];
  return { token: token ? tokenName(token) : "", hash: line?.hash ?? "", amount: line?.amount ?? "", entry: "" };
}

/** An order about a movement in suspense: what it does, its fields, and the reason. */
export function SuspenseDialog({ order, onClose, onGiven }: Props) {
  const t = useTranslations(SUSPENSE_DIALOG);
  const client = useTRPCClient();
  const toast = useToast();
  const [fields, setFields] = useState(() => fieldsOf(order));
  const bind = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) => setFields((before) => ({ ...before, [name]: target.value })),
  });
  const give = async (reason: string) => {
    const { suspense } = client;
    const amount = fields.amount.trim();
    if (order.what === "correct") return await suspense.correctEntry.mutate({ entry_id: fields.entry.trim(), amount, reason });
    if (order.what === "declare") {
      const { chain = "", currency = "" } = order.tokens.find((token) => tokenName(token) === fields.token) ?? {};
      return await suspense.declareFunding.mutate({ chain, currency, hash: fields.hash.trim(), amount, reason });
    }
    const { chain, hash, place, holder } = order.line;
    if (order.what === "lose") return await suspense.bookLoss.mutate({ chain, hash, reason });
    return await suspense.explain.mutate({ chain, hash, place, holder, reason });
  };
  const { explained, toast: done, ...words } = t[order.what];
  const onDone = ({ proposed }: { proposed: boolean }) => {
    toast(proposed ? t.proposedToAdmin : done);
    onGiven();
  };
  const isReady =
    (order.what !== "declare" || (fields.hash.trim() !== "" && fields.amount.trim() !== "")) &&
    (order.what !== "correct" || (fields.entry.trim() !== "" && fields.amount.trim() !== ""));
  return (
    <ConfirmDialog
      {...words}
      description={explained}
      isDanger={order.what === "lose"}
      reason
      ready={isReady}
      mutation={give}
      onDone={onDone}
      onClose={onClose}
    >
      {order.what === "declare" && (
        <>
          <Select
            label={t.token}
            choices={order.tokens.map((token) => ({ value: tokenName(token), label: tokenName(token), origin: "data" }))}
            {...bind("token")}
          />
          <TextField label={t.hash} hint={t.hashHint} spellCheck={false} {...bind("hash")} />
          <TextField label={t.amount} inputMode="decimal" {...bind("amount")} />
        </>
      )}
      {order.what === "correct" && (
        <>
          <TextField label={t.entry} hint={t.entryHint} spellCheck={false} {...bind("entry")} />
          <TextField label={t.right} hint={t.rightHint} inputMode="decimal" {...bind("amount")} />
        </>
      )}
    </ConfirmDialog>
  );
}
