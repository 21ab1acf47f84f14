import Link from "next/link";
import { PageHeader } from "../_components/frame/page-parts.tsx";
import { titled, wordsOf } from "../_words/server.ts";
import { Told } from "../_words/told.tsx";
import { NOT_FOUND } from "./words.ts";

export const generateMetadata = titled(NOT_FOUND);

export default async function NotFound() {
  const says = await wordsOf(NOT_FOUND);
  return (
    <>
      <PageHeader title={says.heading} />
      <p>
        <Told sentence={says.sentence} link={<Link href="/console">{says.link}</Link>} />
      </p>
    </>
  );
}
