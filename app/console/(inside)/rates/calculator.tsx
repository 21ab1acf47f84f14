import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeftRight } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../_components/controls/button.tsx";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { useAnswer } from "../../_components/dialogs/use-answer.ts";
import { Section } from "../../_components/frame/page-parts.tsx";
import { plain } from "../../_components/lists/filters.ts";
import { ErrorState } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { CALCULATOR } from "./words.ts";

const PLAIN = /^\d{1,15}(\.\d{1,8})?$/;

/** Converts an amount at the mid rate; nothing is promised. */
export function Calculator() {
  const t = useTranslations(CALCULATOR);
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const [text, setText] = useState("10000");
  const [chosen, setChosen] = useState<{ fiat: string | null; token: string | null; back: boolean }>({
    fiat: null,
    token: null,
    back: false,
  });
  const fiat = chosen.fiat ?? choices?.source_currencies[0] ?? "";
  const token = chosen.token ?? choices?.destination_currencies[0] ?? "";
  const [from, to] = chosen.back ? [token, fiat] : [fiat, token];
  const amount = t.format.plain(text);
  const isAmount = PLAIN.test(amount) && Number(amount) > 0;
  const converted = useAnswer(
    useQuery(
      trpc.rates.convert.queryOptions(
        { from, to, amount },
        { enabled: isAmount && from !== "" && to !== "", placeholderData: keepPreviousData },
      ),
    ),
  );
  const result = isAmount && !converted.error ? converted.data : undefined;
  return (
    <Section title={t.title}>
      <div className="calculator">
        <TextField
          label={t.amountIn(from)}
          inputMode="decimal"
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={isAmount || amount === "" ? undefined : t.amountWanted}
        />
        <Select
          label={t.fiat}
          value={fiat}
          choices={plain(choices?.source_currencies)}
          onChange={({ target }) => setChosen({ ...chosen, fiat: target.value })}
        />
        <IconButton
          label={chosen.back ? t.fromFiat : t.toFiat}
          icon={ArrowLeftRight}
          onClick={() => setChosen({ ...chosen, back: !chosen.back })}
        />
        <Select
          label={t.token}
          value={token}
          choices={plain(choices?.destination_currencies)}
          onChange={({ target }) => setChosen({ ...chosen, token: target.value })}
        />
        <p className="calculator-result" role="status" aria-busy={converted.isEarlier} data-earlier={converted.isEarlier || undefined}>
          {result && (
            <>
              <Money amount={result.converted_amount} currency={result.to} size="large" />
              <span className="muted">{t.rate(result.from, result.rate, result.to)}</span>
            </>
          )}
        </p>
      </div>
      {converted.error && isAmount && <ErrorState error={converted.error} onRetry={() => void converted.refetch()} compact />}
    </Section>
  );
}
