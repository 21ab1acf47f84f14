import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { z } from "zod";

const sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const Index = z.looseObject({ manifests: z.array(z.looseObject({ mediaType: z.string(), digest: sha256 })).length(1) });
const Manifest = z.looseObject({ config: z.looseObject({ digest: sha256 }), layers: z.array(z.looseObject({ digest: sha256 })).min(1) });
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

/**
 * The digest (`sha256:…`) under which a registry has the image of that archive, if it was copied there unchanged. It is the SHA-256 of the
 * manifest, which names configuration and layers by theirs.
 *
 * @throws Error where it is no OCI archive of exactly one image, or its manifest, its configuration or a layer is not what it is named by
 */
export function imageDigest(archive: string): string {
  const index = Index.parse(JSON.parse(memberOf(archive, "index.json").toString()));
  const [image] = index.manifests;
  if (image === undefined || image.mediaType !== MANIFEST) throw new Error(`${archive} has no single image manifest.`);
  const { config, layers } = Manifest.parse(JSON.parse(blobOf(archive, image.digest).toString()));
  for (const { digest } of [config, ...layers]) blobOf(archive, digest);
  return image.digest;
}

function blobOf(archive: string, digest: string): Buffer {
  const hex = digest.slice("sha256:".length);
  const blob = memberOf(archive, `blobs/sha256/${hex}`);
  if (createHash("sha256").update(blob).digest("hex") !== hex) throw new Error(`${archive}: ${digest} has another content.`);
  return blob;
}

const MOST_BYTES = 2 ** 31;

function memberOf(archive: string, name: string): Buffer {
  const { status, stdout, stderr } = spawnSync("tar", ["-xOf", archive, name], { maxBuffer: MOST_BYTES });
  if (status !== 0) throw new Error(`${archive} is no OCI archive with ${name}: ${stderr}`);
  return stdout;
}
