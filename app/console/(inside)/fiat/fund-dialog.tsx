import { useState } from "react";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { AMOUNT } from "./order-form.tsx";
import { FUND_POOL } from "./words.ts";

type Props = { currency: string /** The amount that is filled in at first. */; proposed: string; onClose: () => void };

/** Adds play money to a pool: one booking for each opening of the dialog, even if it is sent again. */
export function FundDialog({ currency, proposed, onClose }: Props) {
  const t = useTranslations(FUND_POOL);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const [key] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState(proposed);
  const refresh = useRefresh(trpc.fiat.pools.queryKey());
  const amount = t.format.plain(typed);
  const isAmount = AMOUNT.test(amount) && Number(amount) > 0;
  return (
    <ConfirmDialog
      title={t.title(currency)}
      description={t.more}
      button={isAmount ? t.add(t.format.written(amount, currency)) : t.addNothing}
      ready={isAmount}
      mutation={() => client.fiat.fundPool.mutate({ currency, amount, request_key: key }).finally(refresh)}
      onDone={() => toast(t.funded, t.fundedWith(t.format.written(amount, currency)))}
      onClose={onClose}
    >
      <TextField
        label={t.amount}
        hint={t.amountHint(currency)}
        inputMode="decimal"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ConfirmDialog>
  );
}
