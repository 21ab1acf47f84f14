import { Download } from "lucide-react";
import { Button } from "../../../_components/controls/button.tsx";
import { CodeBlock } from "../../../_components/controls/code-block.tsx";
import { download } from "../../../_format/download.ts";
import type { Story } from "./story.ts";

/** The answer of the API to the letter: what the partner's own programs read. */
export function RawPart({ story }: { story: Story }) {
  const { tx_id: txId } = story.settlement;
  return (
    <details id="raw">
      <summary>
        <code>GET /api/v1/settlements/{txId}</code>
      </summary>
      <CodeBlock label="Answer of the API" text={story.raw} />
      <p className="code-under">
        <Button icon={Download} onClick={() => download(`${txId}.json`, [story.raw], "application/json")}>
          Download
        </Button>
      </p>
    </details>
  );
}
