import { useSearchParams } from "next/navigation";
import { Id } from "../../_components/controls/values.tsx";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";

/** These parameters of the list are a position in it, not a filter. */
const PLACES = ["peek", "cursor", "direction", "limit", "q", "as"];

/** The URL of a settlement's page, which can then link to the next one of this list. */
export function usePageOf(): (txId: string) => string {
  const params = useSearchParams();
  const list = new URLSearchParams([...params].filter(([name]) => !PLACES.includes(name)));
  const context = params.has("q") ? "" : `?list=${encodeURIComponent(list.toString())}`;
  return (txId) => `/console/settlements/${txId}${context}`;
}

export function SettlementLink({ txId, copy = true }: { txId: string; copy?: boolean }) {
  const t = useTranslations(SHARED);
  const pageOf = usePageOf();
  return <Id value={txId} what={t.settlementNoun} href={pageOf(txId)} copy={copy} />;
}
