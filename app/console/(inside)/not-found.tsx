import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "../_components/frame/page-parts.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <>
      <PageHeader title="There is nothing here" />
      <p>
        The address may be mistyped, or what it names is not yours to see. Go to <Link href="/console">the console's first page</Link>.
      </p>
    </>
  );
}
