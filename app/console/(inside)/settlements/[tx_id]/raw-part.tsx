import { Download } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { download } from "../../../_format/download.ts";
import { useTranslations } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { RAW_PART } from "./words.ts";

/** The exact answer of the API, as the partner's programs get it. */
export function RawPart({ story }: { story: Story }) {
  const t = useTranslations(RAW_PART);
  const { tx_id: txId } = story.settlement;
  return (
    <details id="raw">
      <summary>
        <code>{t.request(txId)}</code>
      </summary>
      <CodeBlock label={t.answer} text={story.raw} />
      <p className="code-under">
        <Button icon={Download} onClick={() => download(`${txId}.json`, [story.raw], "application/json")}>
          {t.download}
        </Button>
      </p>
    </details>
  );
}
