"use client";

import { CodeBlock } from "../../../_components/code-block.tsx";
import type { Story } from "./story.ts";

/** The answer of the API to the letter: what the partner's own programs read. */
export function RawPart({ story }: { story: Story }) {
  return (
    <details>
      <summary>
        <code>GET /api/v1/settlements/{story.settlement.tx_id}</code>
      </summary>
      <CodeBlock label="Answer of the API" text={story.raw} />
    </details>
  );
}
