import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { FeedClient } from "../dist/index.js";
import { recording, register, startPlatform, tokensOf } from "./platform.js";
import { startProxy } from "./proxy.js";

const QUICK = {
  FEED_LIVE_POLL: "100ms",
  FEED_LIVE_IDLE_POLL: "200ms",
  FEED_LIVE_HEARTBEAT: "1s",
  FEED_LIVE_STREAMS_PER_USER: "2",
};

describe("a live stream", () => {
  let platform;
  let proxy;

  before(async () => {
    platform = await startPlatform({ settings: QUICK });
    proxy = await startProxy(() => platform.url);
  });
  after(async () => {
    proxy.stop();
    await platform.stop();
  });

  test("brings posts and notifications as they appear", async () => {
    const { author, reader } = await pair(platform, "typed", platform.url, byteByByte);
    const follower = listen(author);
    const news = listen(reader);
    await Promise.all([follower.connected(), news.connected()]);

    // U+2028 ends a line in JavaScript, but not in an event.
    const post = await author.post("/v1/posts", { body: { text: "a\u2028b\né" } });
    await reader.post("/v1/posts/{id}/like", { path: { id: post.id } });

    const [entry] = await news.first(1);
    assert.equal(entry.type, "feed_entry");
    assert.equal(entry.data.id, post.id);
    assert.equal(entry.data.text, "a\u2028b\né");
    await follower.until((event) => event.type === "notification" && event.data.type === "like");
    await Promise.all([follower.stop(), news.stop()]);
  });

  test("has each event once although it is cut again and again", async () => {
    const { author, reader } = await pair(platform, "cut", proxy.url);
    proxy.cutAfter = 3_000;
    const news = listen(reader);
    await news.connected();
    const texts = await write(author, 20);
    assert.deepEqual(await news.texts(20), texts.toSorted());
    proxy.cutAfter = Infinity;
    assert.ok(proxy.cuts.length >= 3, `${proxy.cuts.length} cuts`);
    assert.ok(proxy.cuts.some((cut) => cut.isWithinEvent));
    assert.ok(news.connections.filter(({ connected }) => !connected).length >= 3);
    await news.stop();
  });

  test("has no gap where events appear while it is disconnected", async () => {
    assert.deepEqual(await textsAcrossAnInterruption("whole"), ["before", "meanwhile", "after"]);
  });

  test("has a gap where the id of the last event is lost, so that the test above can fail", async () => {
    proxy.dropsIds = true;
    assert.deepEqual(await textsAcrossAnInterruption("broken"), ["before", "after"]);
    proxy.dropsIds = false;
  });

  async function textsAcrossAnInterruption(name) {
    const { author, reader } = await pair(platform, name, proxy.url);
    const news = listen(reader);
    await news.connected();
    await author.post("/v1/posts", { body: { text: "before" } });
    await news.first(1);

    proxy.goDown();
    await author.post("/v1/posts", { body: { text: "meanwhile" } });
    await platform.drain();
    await news.lost();
    proxy.isDown = false;
    await news.connected();

    await author.post("/v1/posts", { body: { text: "after" } });
    await news.until((event) => event.data.text === "after");
    await news.stop();
    return news.events.map((event) => event.data.text);
  }

  test("resumes in another process of the client after the event that was received last", async () => {
    const { author, reader } = await pair(platform, "moved");
    const one = listen(reader);
    await one.connected();
    const texts = await write(author, 1);
    await one.first(1);
    await one.stop();
    texts.push(...(await write(author, 2, "later")));
    await platform.drain();

    const other = listen(reader, { lastEventId: one.stream.lastEventId });
    assert.deepEqual(await other.texts(2), texts.slice(1));
    await other.stop();
  });

  test("says that the client must read its pages again", async () => {
    const { reader } = await pair(platform, "late");
    const hours = new Date(Date.now() - 7_200_000).toISOString();
    const news = listen(reader, { lastEventId: hours });
    const [event] = await news.first(1);
    assert.deepEqual([event.type, event.data], ["resync", { reason: "too_old" }]);
    await news.stop();
  });

  test("notices a connection that is silent, and reconnects", async () => {
    const { author, reader } = await pair(platform, "silent", proxy.url);
    proxy.isStuck = true;
    const news = listen(reader, { silence: 2_000 });
    const lost = await news.lost();
    assert.match(String(lost.error), /silent for 2000 ms/);
    proxy.isStuck = false;
    await news.connected();
    const texts = await write(author, 1);
    assert.deepEqual(await news.texts(1), texts);
    await news.stop();
  });

  test("counts as lost while a browser is offline, and reconnects as soon as it is online", async () => {
    const { author, reader } = await pair(platform, "train");
    const browser = new EventTarget();
    globalThis.addEventListener = browser.addEventListener.bind(browser);
    globalThis.removeEventListener = browser.removeEventListener.bind(browser);
    try {
      let isOffline = false;
      const busy = () => new Response("", { status: 503, headers: { "Retry-After": "600" } });
      const send = async (url, init) => (isOffline ? busy() : fetch(url, init));
      const token = tokensOf(platform.url, "train_reader");
      const news = listen(new FeedClient({ url: platform.url, token, fetch: send }));
      await news.connected();
      await write(author, 1);
      await news.first(1);

      isOffline = true;
      browser.dispatchEvent(new Event("offline"));
      assert.match(String((await news.lost()).error), /offline/);
      await news.find(() => (news.connections.at(-1).reconnectsIn >= 600_000 ? true : undefined));
      await write(author, 1, "missed");
      isOffline = false;
      browser.dispatchEvent(new Event("online"));
      await news.connected();

      assert.deepEqual((await news.first(2)).map((event) => event.data.text), ["text 0", "missed 0"]);
      await news.stop();
    } finally {
      delete globalThis.addEventListener;
      delete globalThis.removeEventListener;
    }
  });

  test("waits as long as a server that refuses it says", async () => {
    const { reader } = await pair(platform, "many");
    const others = [listen(reader), listen(reader)];
    await Promise.all(others.map((other) => other.connected()));
    const third = listen(reader);
    const refused = await third.lost();
    assert.equal(refused.error.code, "too_many_streams");
    assert.ok(refused.reconnectsIn >= refused.error.retryAfter * 1000);
    await others[0].stop();
    await third.connected();
    await Promise.all([others[1].stop(), third.stop()]);
  });

  test("throws a problem that no repetition solves", async () => {
    const { reader } = await pair(platform, "wrong");
    await assert.rejects(listen(reader, { lastEventId: "no id of an event at all" }).ended, { status: 400 });
    await assert.rejects(listen(new FeedClient({ url: platform.url })).ended, { code: "unauthenticated" });
    const loggedOut = new FeedClient({ url: platform.url, token: () => Promise.reject(new Error("logged out")) });
    await assert.rejects(listen(loggedOut).ended, /logged out/);
  });

  test("closes its connection when it is aborted and when the loop is left", async () => {
    await allClosed();
    const { author, reader } = await pair(platform, "left", proxy.url);
    const leaving = new AbortController();
    const news = listen(reader, { signal: leaving.signal });
    await news.connected();
    assert.equal(proxy.open.size, 1);
    leaving.abort(new Error("left the page"));
    await assert.rejects(news.ended, /left the page/);
    await allClosed();

    const connected = new EventEmitter();
    const stream = reader.stream({ onConnection: () => connected.emit("connection") });
    const loop = (async () => {
      for await (const _ of stream) {
        break;
      }
    })();
    await once(connected, "connection");
    await write(author, 1);
    await loop;
    await allClosed();
  });

  async function allClosed() {
    await Promise.all([...proxy.open].map((connection) => once(connection, "close")));
    assert.equal(proxy.open.size, 0);
  }
});

test("a live stream has each event once after the platform was killed and started again", async () => {
  const data = await mkdtemp(join(tmpdir(), "feed-"));
  let platform = await startPlatform({ data, settings: QUICK });
  try {
    const { author, reader } = await pair(platform, "killed");
    const news = listen(reader);
    await news.connected();
    const texts = await write(author, 5, "before");
    await news.first(1);
    texts.push(...(await write(author, 5, "just before")));
    await platform.stop("SIGKILL");
    await news.lost();
    platform = await startPlatform({ data, port: platform.port, settings: QUICK });
    await news.connected();
    texts.push(...(await write(author, 5, "after")));
    assert.deepEqual(await news.texts(15), texts.toSorted());
    await news.stop();
  } finally {
    await platform.stop();
    await rm(data, { recursive: true });
  }
});

test("a live stream outlasts its token", async () => {
  const platform = await startPlatform({ settings: { ...QUICK, FEED_DEV_ISSUER_LIFETIME: "3s" } });
  try {
    const { author, reader } = await pair(platform, "brief");
    const news = listen(reader);
    await news.connected();
    const texts = await write(author, 1, "first token");
    await news.first(1);
    await news.lost();
    await news.connected();
    texts.push(...(await write(author, 1, "second token")));
    assert.deepEqual(await news.texts(2), texts.toSorted());
    await news.stop();
  } finally {
    await platform.stop();
  }
});

test("a polled stream has each event once, and is polled when the server says", async () => {
  const settings = { FEED_LIVE_ONCE: "true", FEED_LIVE_POLL: "300ms", FEED_LIVE_IDLE_POLL: "500ms" };
  const platform = await startPlatform({ settings });
  try {
    const sent = recording();
    const { author, reader } = await pair(platform, "polled", platform.url, sent);
    sent.exchanges.length = 0;
    const news = listen(reader);
    await news.connected();
    const texts = [];
    for (const part of ["one", "two", "three"]) {
      texts.push(...(await write(author, 3, part)));
      assert.deepEqual(await news.texts(texts.length), texts.toSorted());
    }
    await news.stop();

    assert.deepEqual(news.connections, [{ connected: true }]);
    assert.ok(sent.exchanges.length >= 4);
    for (const [number, poll] of sent.exchanges.entries()) {
      assert.equal(poll.headers.has("Last-Event-ID"), number > 0);
      assert.ok(number === 0 || poll.at - sent.exchanges[number - 1].at >= 290);
    }
  } finally {
    await platform.stop();
  }
});

/** A `fetch` whose bodies arrive byte by byte. */
async function byteByByte(url, init) {
  const response = await fetch(url, init);
  const split = new TransformStream({
    transform: (chunk, pieces) => chunk.forEach((byte) => pieces.enqueue(Uint8Array.of(byte))),
  });
  return new Response(response.body?.pipeThrough(split), response);
}

/** Registers an author and a reader who follows it. */
async function pair(platform, name, readerUrl = platform.url, send = fetch) {
  const author = await register(platform.url, `${name}_author`);
  await register(platform.url, `${name}_reader`);
  const token = tokensOf(platform.url, `${name}_reader`);
  const reader = new FeedClient({ url: readerUrl, token, fetch: send });
  await reader.post("/v1/users/{id}/follow", { path: { id: `${name}_author` } });
  await platform.drain();
  return { author, reader };
}

/** Writes posts one after the other and returns their texts. */
async function write(author, number, prefix = "text") {
  const texts = Array.from({ length: number }, (_, index) => `${prefix} ${index}`);
  for (const text of texts) {
    await author.post("/v1/posts", { body: { text }, idempotencyKey: text.replaceAll(" ", "_") });
  }
  return texts;
}

/** Opens a stream and collects its events. Each wait fails after a minute, and when the stream ends. */
function listen(client, options = {}) {
  const leaving = new AbortController();
  const changes = new EventEmitter();
  const events = [];
  const connections = [];
  const stream = client.stream({
    signal: leaving.signal,
    onConnection: (connection) => changes.emit("change", connections.push(connection)),
    ...options,
  });
  const ended = (async () => {
    for await (const event of stream) {
      changes.emit("change", events.push(event));
    }
  })();
  /** Returns what a function finds, looking for it after each change. */
  const find = (seek) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => finish(reject, new Error(`Events: ${JSON.stringify(events)}`)), 60_000);
      const check = () => seek() !== undefined && finish(resolve, seek());
      const finish = (settle, value) => {
        clearTimeout(timer);
        changes.off("change", check);
        settle(value);
      };
      changes.on("change", check);
      ended.catch((error) => finish(reject, error));
      check();
    });
  return {
    stream,
    events,
    connections,
    ended,
    find,
    /** Waits until the stream is connected. */
    connected: () => find(() => connections.at(-1)?.connected || undefined),
    /** Returns the first loss of the connection. */
    lost: () => find(() => connections.find(({ connected }) => !connected)),
    until: (matches) => find(() => events.find(matches)),
    first: (number) => find(() => (events.length >= number ? events : undefined)),
    /** Returns the texts of all posts, once there are so many. Their authors wrote them within a poll, so they are sorted. */
    async texts(number) {
      return (await this.first(number)).map((event) => event.data.text).toSorted();
    },
    async stop() {
      leaving.abort();
      await assert.rejects(ended, { name: "AbortError" });
    },
  };
}
