/**
 * JSON with line breaks and two spaces of indentation. Numbers and texts are copied, not parsed, so every digit stays. Invalid JSON is
 * returned unchanged.
 */
export function indentJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let level = 0;
  let out = "";
  const line = () => `\n${"  ".repeat(level)}`;
  for (const [index, token] of tokens.entries()) {
    const after = tokens[index + 1];
    if (token === "{" || token === "[") {
      const isEmpty = after === "}" || after === "]";
      level += isEmpty ? 0 : 1;
      out += isEmpty ? token : token + line();
    } else if (token === "}" || token === "]") {
      const before = tokens[index - 1];
      const isEmpty = before === "{" || before === "[";
      level -= isEmpty ? 0 : 1;
      out += isEmpty ? token : line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return out;
}
