import type { Exchange } from "./client.js";
import type { paths } from "./openapi.js";

/** The types of a request and its result, computed from the generated types of the OpenAPI document. */

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [key in M]: object } ? P : never;
}[keyof paths];

/** The paths whose `GET` answers with JSON; the others are read by `send` and `stream`. */
export type JsonPath = Exclude<PathOf<"get">, "/v1/stream" | "/v1/users/me/export">;

export type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

type Parameter<O, K extends string> = O extends { parameters: { [key in K]?: infer V } } ? NonNullable<V> : never;

type Body<O> = O extends { requestBody?: infer R } ? Content<NonNullable<R>> : never;

type Content<R> = R extends { content: { "application/json": infer B } } ? B : never;

/** A field that is absent where there is no such value, and optional where the value may be empty. */
type Field<K extends string, V> = [V] extends [never]
  ? { [key in K]?: never }
  : {} extends V
    ? { [key in K]?: V }
    : { [key in K]: V };

type Key<H> = [H] extends [never]
  ? unknown
  : "Idempotency-Key" extends keyof H
    ? {
        /** Makes the request repeatable: the same key and content have one effect and one answer for a day. */
        idempotencyKey?: string;
      }
    : unknown;

/** What a request contains. */
export type Input<O> = Field<"path", Parameter<O, "path">> &
  Field<"query", Parameter<O, "query">> &
  Field<"body", Body<O>> &
  Key<Parameter<O, "header">> & {
    signal?: AbortSignal;
    /** Is called with each exchange of this call, also with those that are repeated. It must not throw. */
    onExchange?: (exchange: Exchange) => void;
  };

/** The arguments after the path: none are needed where nothing of the input is required. */
export type Arguments<O> = {} extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

type Success<O> = O extends { responses: infer R } ? R[keyof R & (200 | 201 | 202 | 204)] : never;

/** What a successful response contains; undefined where it has no body. */
export type Result<O> = Success<O> extends infer R ? (R extends unknown ? Json<R> : never) : never;

type Json<R> = [Content<R>] extends [never] ? undefined : Content<R>;

/** The paths that answer with a page. */
export type ListPath = {
  [P in JsonPath]: Result<Operation<P, "get">> extends { items: unknown[] } ? P : never;
}[JsonPath];

/** A page of a list. */
export type Page<P extends ListPath> = Result<Operation<P, "get">>;

/** An item of a list. */
export type Item<P extends ListPath> = Page<P> extends { items: (infer I)[] } ? I : never;
