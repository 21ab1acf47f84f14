"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { useTRPC } from "../../_trpc/client.ts";

/** Play money for a pool of the sandbox: as much as one withdrawal may take at most. One booking a click, also when it is repeated. */
export function FundPool({ currency, maximum }: { currency: string; maximum: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const guarded = useStepUp();
  const key = useRef<string | null>(null);
  const fund = useMutation(
    trpc.fiat.fundPool.mutationOptions({
      onSuccess: (_, { amount }) => {
        key.current = null;
        toast("Pool funded", `${grouped(amount, leastDecimalsOf(currency))} ${currency} of play money`);
      },
      onSettled: () => void queries.invalidateQueries({ queryKey: trpc.fiat.pools.queryKey() }),
    }),
  );
  const add = () => {
    key.current ??= crypto.randomUUID();
    const input = { currency, amount: maximum, request_key: key.current };
    guarded(() => fund.mutateAsync(input)).catch(() => {});
  };
  return (
    <div className="fund">
      {fund.error && <Refused error={fund.error} />}
      <Button pending={fund.isPending} onClick={add}>
        Fund with {grouped(maximum, leastDecimalsOf(currency))} {currency}
      </Button>
    </div>
  );
}
