"use client";

import { PageTrouble, type PageTroubleProps } from "../_components/frame/page-trouble.tsx";

/** A page that failed to render: the console's frame stays. */
export default function PageFailed(props: PageTroubleProps) {
  return <PageTrouble {...props} />;
}
