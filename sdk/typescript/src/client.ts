import { backOff, pause, unlessAborted } from "./pause.js";
import { FeedProblem } from "./problem.js";
import type { Arguments, Item, JsonPath, ListPath, Method, Operation, Page, PathOf, Result } from "./routes.js";
import { FeedStream, type StreamOptions } from "./stream.js";

export interface ClientOptions {
  /** The address of the API, such as `https://api.example.com`. In a browser it may be relative: `/`. */
  url: string;
  /**
   * Supplies an access token. It is called before the first request, and again when the API answers 401. Without it,
   * requests have no token.
   */
  token?: () => string | Promise<string>;
  /** How often a request is repeated, at most; 3 by default. */
  retries?: number;
  /** The milliseconds after which no request is repeated any more; 30 000 by default. */
  retryTime?: number;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof fetch;
}

/** What a request contains, without the types of a route. */
export interface RequestInput {
  path?: Record<string, string> | undefined;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** A request as it was sent, and its response. */
export interface Exchange {
  url: URL;
  method: string;
  /** They contain the token. */
  headers: Headers;
  body: string | null;
  /** Clone it to read the body, which the client reads too. */
  response: Response;
  /** The time from the request to the headers of the response. */
  milliseconds: number;
}

const FIRST_BACK_OFF = 250;

/**
 * A client of the API for one account.
 *
 * Methods reject with a {@link FeedProblem} when the API refuses a request, with the reason of the signal when it is
 * aborted, and with a `TypeError` for wrong arguments and, as `fetch` does, when there is no response.
 *
 * A request without a response, and one that was answered with 429 or 503, is repeated: after `Retry-After`, otherwise
 * after a growing time. `PATCH` and a `POST` without an idempotency key are not repeated.
 */
export class FeedClient {
  readonly #url: string;
  readonly #supplyToken: (() => string | Promise<string>) | undefined;
  readonly #retries: number;
  readonly #retryTime: number;
  readonly #fetch: typeof fetch;
  #token: Promise<string> | undefined;

  constructor({ url, token, retries = 3, retryTime = 30_000, fetch = globalThis.fetch }: ClientOptions) {
    // A relative address is resolved now, so that a wrong one is not taken for a lost connection later.
    this.#url = new URL(url, globalThis.location?.href).href.replace(/\/+$/, "");
    this.#supplyToken = token;
    this.#retries = retries;
    this.#retryTime = retryTime;
    // Browsers refuse to call it as a method.
    this.#fetch = (input, init) => fetch(input, init);
  }

  get<P extends JsonPath>(path: P, ...[input]: Arguments<Operation<P, "get">>): Promise<Result<Operation<P, "get">>> {
    return this.#json("get", path, input);
  }

  post<P extends PathOf<"post">>(
    path: P,
    ...[input]: Arguments<Operation<P, "post">>
  ): Promise<Result<Operation<P, "post">>> {
    return this.#json("post", path, input);
  }

  put<P extends PathOf<"put">>(path: P, ...[input]: Arguments<Operation<P, "put">>): Promise<Result<Operation<P, "put">>> {
    return this.#json("put", path, input);
  }

  patch<P extends PathOf<"patch">>(
    path: P,
    ...[input]: Arguments<Operation<P, "patch">>
  ): Promise<Result<Operation<P, "patch">>> {
    return this.#json("patch", path, input);
  }

  delete<P extends PathOf<"delete">>(
    path: P,
    ...[input]: Arguments<Operation<P, "delete">>
  ): Promise<Result<Operation<P, "delete">>> {
    return this.#json("delete", path, input);
  }

  /** Returns the pages of a list. Each page is requested when the loop asks for it. */
  async *pages<P extends ListPath>(path: P, ...[input]: Arguments<Operation<P, "get">>): AsyncGenerator<Page<P>, void> {
    let query: object | undefined = input?.query;
    for (;;) {
      const page = await this.#json("get", path, { ...input, query });
      yield page;
      if (page.next_cursor === undefined) {
        return;
      }
      query = { ...query, cursor: page.next_cursor };
    }
  }

  /** Returns the items of a list, page after page. `limit` is the size of a page. */
  async *items<P extends ListPath>(path: P, ...input: Arguments<Operation<P, "get">>): AsyncGenerator<Item<P>, void> {
    for await (const page of this.pages(path, ...input)) {
      yield* (page as unknown as { items: Item<P>[] }).items;
    }
  }

  /** Returns the caller's new feed entries and notifications, as they appear. */
  stream(options: StreamOptions = {}): FeedStream {
    return new FeedStream((headers, signal) => this.#attempt(this.#build("get", "/v1/stream", { headers, signal }), undefined), options);
  }

  /** Sends any request, for example that of an export, and returns the successful response. */
  send(method: Method, path: string, input: RequestInput = {}): Promise<Response> {
    return this.#request(method, path, input, (response) => Promise.resolve(response));
  }

  /** Its results have the types of the OpenAPI document, which nothing checks at run time. */
  #json(method: Method, path: string, input: RequestInput | undefined): Promise<any> {
    return this.#request(method, path, input, async (response) => {
      const text = await response.text();
      return text === "" ? undefined : JSON.parse(text);
    });
  }

  async #request<T>(
    method: Method,
    path: string,
    input: RequestInput | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const request = this.#build(method, path, input ?? {});
    const isRepeatable = method === "post" ? request.headers.has("Idempotency-Key") : method !== "patch";
    const deadline = Date.now() + this.#retryTime;
    for (let failures = 0; ; failures++) {
      try {
        return await unlessAborted(this.#attempt(request, input?.onExchange).then(read), request.signal);
      } catch (error) {
        const wait = isRepeatable && failures < this.#retries ? waitAfter(error, failures) : undefined;
        if (wait === undefined || Date.now() + wait > deadline || input?.signal?.aborted) {
          throw error;
        }
        await pause(wait, input?.signal);
      }
    }
  }

  #build(method: Method, path: string, { path: values = {}, query = {}, body, headers, ...rest }: RequestInput): BuiltRequest {
    if (!path.startsWith("/")) {
      // Behind the address of the API, such a path could name another host, which would get the token.
      throw new TypeError(`The path must begin with /, not ${JSON.stringify(path)}`);
    }
    const url = new URL(this.#url + path.replace(/\{(\w+)\}/g, (_, name) => segment(name, values[name])));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
    const all = new Headers(headers);
    if (body !== undefined) {
      all.set("Content-Type", "application/json");
    }
    if (rest.idempotencyKey !== undefined) {
      all.set("Idempotency-Key", rest.idempotencyKey);
    }
    const text = body === undefined ? null : JSON.stringify(body);
    return { url, method: method.toUpperCase(), headers: all, body: text, signal: rest.signal ?? null };
  }

  /** Sends a request once, and again with a new token where the API refuses the token: then it has had no effect. */
  async #attempt(request: BuiltRequest, onExchange: RequestInput["onExchange"]): Promise<Response> {
    const used = this.#supply();
    let response = await this.#exchange(await authorized(request, used), onExchange);
    if (response.status === 401 && used !== undefined) {
      // A copy of the response that is not read would let this wait without end.
      response.body?.cancel().catch(() => {});
      if (this.#token === used) {
        this.#token = undefined;
      }
      response = await this.#exchange(await authorized(request, this.#supply()), onExchange);
    }
    if (!response.ok) {
      throw await FeedProblem.of(response);
    }
    return response;
  }

  async #exchange({ url, ...init }: BuiltRequest, onExchange: RequestInput["onExchange"]): Promise<Response> {
    const began = performance.now();
    const response = await this.#fetch(url, init);
    onExchange?.({ url, method: init.method, headers: init.headers, body: init.body, response, milliseconds: performance.now() - began });
    return response;
  }

  /** Returns the current token. Concurrent requests wait for the same one. */
  #supply(): Promise<string> | undefined {
    if (this.#token === undefined && this.#supplyToken !== undefined) {
      const token = Promise.resolve().then(this.#supplyToken);
      this.#token = token;
      token.catch(() => {
        if (this.#token === token) {
          this.#token = undefined;
        }
      });
    }
    return this.#token;
  }
}

/** Returns a new random key for a `POST`. Make one for each action of a user, and keep it as long as the action is tried. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface BuiltRequest extends RequestInit {
  url: URL;
  method: string;
  headers: Headers;
  body: string | null;
}

async function authorized(request: BuiltRequest, token: Promise<string> | undefined): Promise<BuiltRequest> {
  const headers = new Headers(request.headers);
  if (token !== undefined) {
    headers.set("Authorization", `Bearer ${await token}`);
  }
  return { ...request, headers };
}

/** Returns the milliseconds after which a failed request may be repeated, or undefined if it would fail again. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof FeedProblem) {
    const isTransient = error.status === 429 || error.status === 503;
    return isTransient ? (error.retryAfter ?? backOff(failures, FIRST_BACK_OFF) / 1000) * 1000 : undefined;
  }
  // This is how fetch reports that there was no response, or only a part of it.
  return error instanceof TypeError ? backOff(failures, FIRST_BACK_OFF) : undefined;
}

/** Returns a value as one segment of a path. A dot segment would become another path. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value)) {
    throw new TypeError(`The path needs a value for {${name}}, not ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}
