import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { IconButton } from "../../../_components/controls/button.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { filterOf, SETTLEMENTS } from "../search-params.ts";

/** The ones before and after it in the list from which it was opened. The list's filter goes along in the address as `list`. */
export function Neighbours({ txId }: { txId: string }) {
  const list = useSearchParams().get("list");
  return list === null ? null : <InList txId={txId} list={list} />;
}

function InList({ txId, list }: { txId: string; list: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const filter = filterOf(SETTLEMENTS.load(new URLSearchParams(list)));
  const { data } = useQuery(trpc.settlements.neighbours.queryOptions({ ...filter, tx_id: txId }));
  const previous = data?.previous ?? null;
  const next = data?.next ?? null;
  const go = (to: string | null) => to !== null && router.push(`/console/settlements/${to}?list=${encodeURIComponent(list)}`);
  useShortcut("j", "Next settlement of the list", () => go(next), next !== null);
  useShortcut("k", "Settlement before in the list", () => go(previous), previous !== null);
  return (
    <span className="neighbours">
      <IconButton label="Settlement before (K)" icon={ChevronLeft} look="plain" disabled={previous === null} onClick={() => go(previous)} />
      <IconButton label="Next settlement (J)" icon={ChevronRight} look="plain" disabled={next === null} onClick={() => go(next)} />
    </span>
  );
}
