import { useRef } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { FUND_POOL } from "./words.ts";

/** Adds play money to a pool of the sandbox: as much as one withdrawal may take. One booking per click, even if repeated. */
export function FundPool({ currency, maximum }: { currency: string; maximum: string }) {
  const t = useTranslations(FUND_POOL);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const { run, pending, error } = useConfirmedMutation();
  const key = useRef<string | null>(null);
  const refresh = useRefresh(trpc.fiat.pools.queryKey());
  const amount = `${grouped(maximum, leastDecimalsOf(currency))} ${currency}`;
  const add = () => {
    key.current ??= crypto.randomUUID();
    const input = { currency, amount: maximum, request_key: key.current };
    void run(
      () => client.fiat.fundPool.mutate(input).finally(refresh),
      () => {
        key.current = null;
        toast(t.poolFunded, t.playMoney(amount));
      },
    );
  };
  return (
    <div className="fund">
      {error !== null && <Refused error={error} />}
      <Button pending={pending} onClick={add}>
        {t.fund}
        <span className="sr-only"> {t.with(amount)}</span>
      </Button>
    </div>
  );
}
