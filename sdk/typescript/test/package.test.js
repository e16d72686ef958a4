import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPlatform } from "./platform.js";

/** Runs a command; its error has what the command printed. */
const run = (command, args, options) =>
  promisify(execFile)(command, args, options).catch((error) => {
    throw Object.assign(error, { message: error.message + error.stdout });
  });
const root = fileURLToPath(new URL("..", import.meta.url));
const bin = (name) => join(root, "node_modules", ".bin", name);

describe("the package", () => {
  let platform;
  let work;

  before(async () => {
    work = await mkdtemp(join(tmpdir(), "feed-client-"));
    platform = await startPlatform();
  });
  after(async () => {
    await platform.stop();
    await rm(work, { recursive: true });
  });

  test("has the types of the served OpenAPI document", async () => {
    const document = await (await fetch(`${platform.url}/openapi.yml`)).text();
    await isCurrent(document);
    await assert.rejects(isCurrent(document.replace("display_name: {", "shown_name: {")), { code: 1 });
  });

  async function isCurrent(document) {
    const file = join(work, "openapi.yml");
    await writeFile(file, document);
    await run(bin("openapi-typescript"), [file, "--output", "src/openapi.ts", "--check"], { cwd: root });
  }

  test("has built modules of the current sources, which import nothing but each other", async () => {
    const built = join(work, "dist");
    await run(bin("tsc"), ["--outDir", built], { cwd: root });
    const modules = (await readdir(built)).filter((name) => name.endsWith(".js"));
    assert.deepEqual(modules, (await readdir(join(root, "src"))).map((name) => name.replace(/ts$/, "js")));
    for (const name of modules) {
      const text = await readFile(join(root, "dist", name), "utf8");
      assert.equal(text, await readFile(join(built, name), "utf8"), `dist/${name} is not current: npm run build`);
      for (const [, imported] of text.matchAll(/\bfrom "(.*)"/g)) {
        assert.ok(imported.startsWith("./") && modules.includes(imported.slice(2)), `${name} imports ${imported}`);
      }
      assert.doesNotMatch(text, /\bimport\(|\brequire\(|^import "/m);
    }
  });

  test("installs as npm would publish it, compiles strictly, and runs the example of the README", async () => {
    const packed = await run("npm", ["pack", "--json", "--silent", "--pack-destination", work], { cwd: root });
    const [{ filename, files }] = JSON.parse(packed.stdout);
    const names = (await readdir(join(root, "src"))).map((name) => name.slice(0, -".ts".length));
    assert.deepEqual(
      files.map((file) => file.path).toSorted(),
      ["LICENSE", "README.md", "package.json", ...names.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`])].toSorted(),
    );

    await writeFile(join(work, "package.json"), `{"private": true, "type": "module"}`);
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(work, filename)], { cwd: work });
    const [, example] = /```ts\n(.*?)```/s.exec(await readFile(join(root, "README.md"), "utf8"));
    assert.ok(example.trimEnd().split("\n").length <= 30);
    await writeFile(join(work, "example.ts"), example.replace("http://127.0.0.1:8080", platform.url));
    await writeFile(join(work, "wrong.ts"), WRONG);
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2022,dom"];
    for (const resolution of [["--module", "nodenext"], ["--module", "esnext", "--moduleResolution", "bundler"]]) {
      await run(bin("tsc"), [...strict, ...resolution, "example.ts", "wrong.ts"], { cwd: work });
    }

    const { stdout } = await run(process.execPath, ["example.js"], { cwd: work, timeout: 60_000 });
    assert.equal(stdout, "Live: Hello #feed\nada: Hello #feed\nnot_found\n");
  });
});

/** The compiler must refuse each line below a comment, and accept the others. */
const WRONG = `
import { FeedClient, type FeedEvent } from "@feed-platform/client";
export async function wrong(feed: FeedClient, event: FeedEvent) {
  // @ts-expect-error There is no such path.
  await feed.get("/v1/nowhere");
  // @ts-expect-error The path has no such method.
  await feed.put("/v1/feed");
  // @ts-expect-error The path needs an id.
  await feed.get("/v1/posts/{id}");
  // @ts-expect-error There is no such variable.
  await feed.get("/v1/feed", { query: { sort: "new" } });
  // @ts-expect-error The body needs a text.
  await feed.post("/v1/posts", { body: {} });
  // @ts-expect-error This route takes no key.
  await feed.post("/v1/posts/{id}/like", { path: { id: "a" }, idempotencyKey: "a" });
  // @ts-expect-error Neither does this one, which has another header.
  await feed.get("/v1/posts/{id}", { path: { id: "a" }, idempotencyKey: "a" });
  // @ts-expect-error A post is no list.
  feed.items("/v1/posts/{id}", { path: { id: "a" } });
  // @ts-expect-error The answer has no such field.
  (await feed.get("/v1/users/me")).followers;
  // @ts-expect-error A notification has no text.
  if (event.type === "notification") event.data.text;
  const nothing: undefined = await feed.delete("/v1/posts/{id}", { path: { id: "a" } });
  const count: number = (await feed.get("/v1/notifications/unread-count")).count;
  for await (const { author } of feed.items("/v1/feed", { query: { special_first: true } })) author.handle.length;
  return [nothing, count];
}
`;
