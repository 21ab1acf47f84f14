"use client";

import Link from "next/link";
import { CopyButton } from "./copy-button.tsx";

/** The beginning and the end of an id: what people compare. Ids of ours begin with a kind and a time, which tell them apart badly. */
export function shortened(id: string, head = /^[a-z]{2,3}_/.test(id) ? 3 : 6, tail = 6): string {
  return id.length <= head + tail + 1 ? id : `${id.slice(0, head)}…${id.slice(-tail)}`;
}

type IdProps = { value: string; what: string; href?: string; full?: boolean; copy?: boolean };

/** An id, address or hash: shortened in the middle, whole for those who point or listen, and copied whole. */
export function Id({ value, what, href, full = false, copy = true }: IdProps) {
  const text = full ? value : shortened(value);
  const shown =
    text === value ? (
      value
    ) : (
      <>
        <span aria-hidden>{text}</span>
        <span className="sr-only">{value}</span>
      </>
    );
  return (
    <span className="id">
      {href ? (
        <Link href={href} className="id-text" title={value}>
          {shown}
        </Link>
      ) : (
        <span className="id-text" title={value}>
          {shown}
        </span>
      )}
      {copy && <CopyButton text={value} label={`Copy ${what}`} />}
    </span>
  );
}
