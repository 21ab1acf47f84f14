import { useRef } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { grouped, leastDecimalsOf } from "../../_format/amount.ts";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";

/** Play money for a pool of the sandbox: as much as one withdrawal may take at most. One booking a click, also when it is repeated. */
export function FundPool({ currency, maximum }: { currency: string; maximum: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const toast = useToast();
  const { run, pending, error } = useDeed();
  const key = useRef<string | null>(null);
  const refresh = useRefresh(trpc.fiat.pools.queryKey());
  const add = () => {
    key.current ??= crypto.randomUUID();
    const input = { currency, amount: maximum, request_key: key.current };
    void run(
      () => client.fiat.fundPool.mutate(input).finally(refresh),
      () => {
        key.current = null;
        toast("Pool funded", `${grouped(maximum, leastDecimalsOf(currency))} ${currency} of play money`);
      },
    );
  };
  return (
    <div className="fund">
      {error !== null && <Refused error={error} />}
      <Button pending={pending} onClick={add}>
        Fund
        <span className="sr-only">
          {" "}
          with {grouped(maximum, leastDecimalsOf(currency))} {currency}
        </span>
      </Button>
    </div>
  );
}
