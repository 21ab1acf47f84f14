import vectors from "#docs/signing-vectors.json" with { type: "json" };

/** The repository's signing vectors, with which partners test their code. */
export function GET(): Response {
  return Response.json(vectors, { headers: { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" } });
}
