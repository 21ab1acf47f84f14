import { lazyComponent } from "./lazy-component.tsx";

const Waiting = () => <div className="qr-code" aria-busy aria-hidden />;

/** A QR code as vectors, drawn in the browser: nothing is asked from anybody. Dark on light in both themes, as cameras want it. */
export const QrCode = lazyComponent(() => import("./qr-drawn.tsx").then(({ QrDrawn }) => QrDrawn), Waiting);
