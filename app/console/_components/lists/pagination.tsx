import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { useTranslations } from "../../_words/words.ts";
import { PAGINATION } from "./words.ts";

type PaginationProps = {
  hasNewer: boolean;
  hasOlder: boolean;
  onNewer: () => void;
  onOlder: () => void;
  limit: number;
  onLimit: (limit: number) => void;
  /** The total, if known. */
  total?: ReactNode;
};

const LIMITS = [25, 50, 100];

/** Pages a list by position: pages neither skip nor repeat rows, whatever is added meanwhile. */
export function Pagination({ hasNewer, hasOlder, onNewer, onOlder, limit, onLimit, total }: PaginationProps) {
  const t = useTranslations(PAGINATION);
  return (
    <nav className="pagination" aria-label={t.label}>
      <span className="pagination-total">{total}</span>
      <label className="pagination-limit">
        {t.rows}
        <select className="input" value={limit} onChange={(event) => onLimit(Number(event.target.value))}>
          {LIMITS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <Button icon={ChevronLeft} disabled={!hasNewer} onClick={onNewer}>
        {t.newer}
      </Button>
      <Button icon={ChevronRight} disabled={!hasOlder} onClick={onOlder}>
        {t.older}
      </Button>
    </nav>
  );
}
