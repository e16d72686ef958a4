import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startPlatform } from "./platform.js";

const dist = new URL("../dist/", import.meta.url);
const chromium = ["chromium", "chromium-browser", "google-chrome"].find(isInstalled);

test("the modules run in a browser as they are", { skip: chromium === undefined && "there is no Chromium" }, async () => {
  const platform = await startPlatform();
  const profile = await mkdtemp(join(tmpdir(), "feed-chromium-"));
  const server = http.createServer((request, response) => answer(request, response).catch(() => response.destroy()));
  const result = once(server, "result", { signal: AbortSignal.timeout(60_000) });

  /** Serves the page, the modules and, at the same origin, the API. */
  async function answer(request, response) {
    if (request.url === "/") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    } else if (request.url.startsWith("/client/")) {
      const module = await readFile(new URL(request.url.slice("/client/".length), dist));
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(module);
    } else if (request.url === "/result") {
      const chunks = await request.toArray();
      response.end();
      server.emit("result", JSON.parse(Buffer.concat(chunks)));
    } else {
      const forward = http.request(platform.url + request.url, { method: request.method, headers: request.headers });
      forward.on("response", (got) => got.pipe(response.writeHead(got.statusCode, got.headers)));
      forward.on("error", () => response.destroy());
      response.on("close", () => forward.destroy());
      request.pipe(forward);
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--user-data-dir=${profile}`];
  const browser = spawn(chromium, [...options, `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
  const exit = once(browser, "exit");
  try {
    assert.deepEqual(await result, [{ live: "from a browser", own: ["from a browser"], code: "not_found" }]);
  } finally {
    browser.kill();
    await exit;
    server.closeAllConnections();
    server.close();
    await platform.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

const PAGE = `<!doctype html><script type="module">
  import { FeedClient, FeedProblem, newIdempotencyKey } from "/client/index.js";
  const found = {};
  try {
    const issuer = new FeedClient({ url: "/" });
    const token = async () => (await issuer.post("/v1/dev/tokens", { body: { user_id: "browser" } })).access_token;
    const feed = new FeedClient({ url: "/", token });
    await feed.post("/v1/users", { body: { handle: "browser", display_name: "Browser" } });
    const post = { body: { text: "from a browser" }, idempotencyKey: newIdempotencyKey() };
    for await (const event of feed.stream({ onConnection: ({ connected }) => connected && feed.post("/v1/posts", post) })) {
      found.live = event.data.text;
      break;
    }
    found.own = [];
    for await (const { text } of feed.items("/v1/users/{id}/posts", { path: { id: "browser" } })) found.own.push(text);
    await feed.get("/v1/posts/{id}", { path: { id: "missing" } });
  } catch (error) {
    found.code = error instanceof FeedProblem ? error.code : String(error);
  }
  await fetch("/result", { method: "POST", body: JSON.stringify(found) });
</script>`;

function isInstalled(command) {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
