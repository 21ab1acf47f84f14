import { createHash, randomBytes } from "node:crypto";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { allRoles } from "#db/application-role.ts";
import { readLayout } from "#db/layout.ts";
import { migrate } from "#db/migrate.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { closeCitusDatabase, migrateCitusDatabase, startCitus } from "./citus/cluster.ts";

/**
 * Given to each test file: a server for new databases, and the migrated database to clone. `superuserUrl`: null where the server is another's.
 */
export type TestServer = {
  adminUrl: string;
  superuserUrl: string | null;
  template: string;
  /** On Citus, the URLs of the nodes' superusers, the coordinator's first; otherwise none. */
  nodes: string[];
};

declare module "vitest" {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/**
 * One PostgreSQL for each kind of tests that has one (`vitest.config.ts`): an embedded one, thrown away at the end, or the one in
 * TEST_DATABASE_URL, whose role may create databases and roles. The schema is migrated once, in the layout that DATABASE_LAYOUT says; each
 * test file works on a clone (`createTestDatabase`).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL;
  const layout = readLayout(process.env.DATABASE_LAYOUT);
  if (layout === "citus") return await setupCitus(project);
  const server = external ? { adminUrl: external, superuserUrl: null, stop: async () => {} } : await startTemporaryPostgres();
  const template = `template_${createHash("sha256").update(randomBytes(16)).digest("hex").slice(0, 12)}`;
  const admin = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  try {
    await admin`create database ${admin(template)}`;
    const url = new URL(server.adminUrl);
    url.pathname = `/${template}`;
    await migrate(url.href, undefined, layout);
    project.provide("testServer", { adminUrl: server.adminUrl, superuserUrl: server.superuserUrl, template, nodes: [] });
    return async () => {
      if (external) {
        await admin`drop database ${admin(template)} with (force)`;
        await admin`drop role if exists ${admin(allRoles(template))}`;
      }
      await admin.end({ timeout: 1 });
      await server.stop();
    };
  } catch (error) {
    await admin.end({ timeout: 1 });
    await server.stop();
    throw error;
  }
}

/** The same on three nodes with Citus, started for this and thrown away. */
async function setupCitus(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCitus();
  const { nodes } = cluster;
  try {
    const template = "template_citus";
    await migrateCitusDatabase(cluster, template);
    await closeCitusDatabase(nodes, template);
    const { adminUrl, superuserUrl } = cluster.coordinator;
    project.provide("testServer", { adminUrl, superuserUrl, template, nodes });
    return cluster.stop;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
