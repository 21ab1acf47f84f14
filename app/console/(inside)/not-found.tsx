import { Link } from "../_components/controls/link.tsx";
import { PageHeader } from "../_components/frame/page-parts.tsx";
import { titled, translationsOf } from "../_words/server.ts";
import { Trans } from "../_words/words.ts";
import { NOT_FOUND } from "./words.ts";

export const generateMetadata = titled(NOT_FOUND);

export default async function NotFound() {
  const t = await translationsOf(NOT_FOUND);
  return (
    <>
      <PageHeader title={t.heading} />
      <p>
        <Trans sentence={t.sentence} link={<Link href="/console">{t.link}</Link>} />
      </p>
    </>
  );
}
