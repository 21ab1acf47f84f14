import vectors from "#docs/signing-vectors.json" with { type: "json" };

/** The vectors that partners check their signing code with, as the repository keeps them. */
export function GET(): Response {
  return Response.json(vectors, { headers: { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" } });
}
