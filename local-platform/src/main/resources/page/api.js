// Calls of the API as an account, through the client for TypeScript. The page uses the public API, and routes below
// /v1/dev for tokens and for what it shows of the platform itself.
import {FeedClient, FeedProblem, newIdempotencyKey} from './sdk/index.js';
import {state, changed, announce} from './store.js';

const KEPT = 30;
const clients = new Map();
const send = (url, options) => fetch(url, {...options, cache: 'no-store'});

/** The interface of the local platform needs no token. */
const platform = new FeedClient({url: '/', fetch: send});

/** The exchanges of this page, newest first, as the browser saw them. */
export const exchanges = [];

let onAction = () => {};

/** Calls a function with each exchange that a user caused. */
export function watchActions(watcher) {
  onAction = watcher;
}

/** Returns the client of an account, with a token that has some scopes. */
export function client(user = state.me, scopes = []) {
  const key = JSON.stringify([user, scopes]);
  if (!clients.has(key)) {
    const body = scopes.length ? {user_id: user, scopes} : {user_id: user};
    const token = async () => (await platform.post('/v1/dev/tokens', {body})).access_token;
    clients.set(key, new FeedClient({url: '/', token, fetch: send}));
  }
  return clients.get(key);
}

/** Reads as the present account, without showing the exchange. */
export function read(path) {
  return call('GET', path, {isQuiet: true});
}

/**
 * Sends a request as the present account and returns the body of the answer. What the user caused is shown in the X-ray.
 *
 * @throws what {@link reason} explains
 */
export function call(method, path, {body, idempotencyKey, isQuiet = false, as = state.me, scopes, onExchange} = {}) {
  const noted = exchange => {
    note(exchange, as);
    onExchange?.(exchange);
  };
  return client(as, scopes)[method.toLowerCase()](path, {body, idempotencyKey, onExchange: isQuiet ? undefined : noted});
}

/**
 * Returns the idempotency key of what a user sends: the same while the user tries the same again, whose first attempt
 * may have had its effect.
 *
 * @param form keeps it in its field attempt; clear that after a success
 */
export function keyOf(form, body) {
  const content = JSON.stringify([state.me, body]);
  if (form.attempt?.content !== content) form.attempt = {content, key: newIdempotencyKey()};
  return form.attempt.key;
}

/** Like call, for what has no place for an error: it is announced. */
export async function attempt(method, path, options) {
  try {
    await call(method, path, options);
    return true;
  } catch (problem) {
    announce(reason(problem));
    return false;
  }
}

/**
 * Sends the bytes of an announced upload to its address, which needs no token.
 *
 * @throws what {@link reason} explains
 */
export async function put({method, address, headers}, body) {
  const response = await send(address, {method, headers, body});
  if (!response.ok) {
    const problem = await response.json().catch(() => null);
    throw new Error(problem?.detail ?? problem?.title ?? 'The upload failed.');
  }
}

/** Calls the interface of the local platform. */
export function local(method, path) {
  return platform[method.toLowerCase()](`/v1/dev/${path}`);
}

/** Why a call failed, in words: what the API says, or that it does not answer. */
export function reason(problem) {
  if (problem instanceof FeedProblem) return problem.detail || problem.title;
  return problem instanceof TypeError ? 'The platform does not answer.' : problem.message;
}

function note({url, method, headers, body, response, milliseconds}, as) {
  const exchange = {
    id: response.headers.get('X-Request-Id'),
    method, as,
    path: url.pathname + url.search,
    millis: milliseconds,
    status: response.status,
    sent: [...headers].map(([name, value]) =>
      [name, name === 'authorization' ? `Bearer … (development token of ${as})` : value]),
    body: body ?? '',
    received: [...response.headers],
    answer: '',
  };
  exchanges.unshift(exchange);
  exchanges.splice(KEPT);
  onAction(exchange);
  changed();
  response.clone().text().then(text => {
    exchange.answer = text;
    changed();
  }).catch(() => {});
}

/** A list of the API that is read page by page. */
export class Pages {
  #left = null;

  constructor(path, {limit = 20, query = {}, isQuiet = false} = {}) {
    this.path = path;
    this.query = query;
    this.limit = limit;
    this.isQuiet = isQuiet;
    this.items = [];
    this.cursor = null;
    this.state = 'loading';
    this.problem = null;
  }

  /** Reads the first page. Items that arrived meanwhile stay. */
  async load() {
    this.cursor = null;
    this.#left = null;
    await this.#read(page => {
      const known = new Set(page.items.map(item => item.id ?? item.tag));
      const isNewer = item => item.arrived && !known.has(item.id);
      this.items = [...this.items.filter(isNewer), ...page.items];
    });
    return this;
  }

  async more() {
    await this.#read(page => {
      const known = new Set(this.items.map(item => item.id));
      this.items = [...this.items, ...page.items.filter(item => !known.has(item.id))];
    });
  }

  async #read(add) {
    this.state = 'loading';
    changed();
    this.#left ??= this.#from(this.cursor);
    try {
      const {value: page} = await this.#left.next();
      add(page);
      this.cursor = page.next_cursor ?? null;
      this.state = 'ready';
      this.problem = null;
    } catch (problem) {
      // A failure ends the iterator.
      this.#left = null;
      this.state = 'error';
      this.problem = problem;
    }
    changed();
  }

  #from(cursor) {
    const as = state.me;
    return client(as).pages(this.path, {
      query: {...this.query, limit: this.limit, cursor: cursor ?? undefined},
      onExchange: this.isQuiet ? undefined : exchange => note(exchange, as),
    });
  }
}
