"use client";

import { ChevronLeft } from "lucide-react";
import { useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { BREADCRUMB } from "./words.ts";

/** The link back to the page's list. */
export function Breadcrumb({ href, label }: { href: string; label: string }) {
  const t = useTranslations(BREADCRUMB);
  return (
    <nav aria-label={t.breadcrumb} className="breadcrumb">
      <Link href={href}>
        <ChevronLeft aria-hidden size={14} />
        {label}
      </Link>
    </nav>
  );
}
