import encode from "qr";
import { useMemo } from "react";

/** See `QrCode`. */
export function QrDrawn({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const modules = encode(text, "raw", { ecc: "medium", border: 2 });
    const squares = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: modules.length, path: squares.join("") };
  }, [text]);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path className="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path className="qr-dark" d={path} />
    </svg>
  );
}
