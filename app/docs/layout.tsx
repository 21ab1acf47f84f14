import type { ReactNode } from "react";
import "./docs.css";
import "./docs-frame.css";
import "./docs-tools.css";

export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}
