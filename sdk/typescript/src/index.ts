export { FeedClient, newIdempotencyKey } from "./client.js";
export type { ClientOptions, Exchange, RequestInput } from "./client.js";
export { FeedProblem } from "./problem.js";
export type { Problem } from "./problem.js";
export { FeedStream } from "./stream.js";
export type { Connection, FeedEvent, StreamOptions } from "./stream.js";
export type { Item, ListPath, Page } from "./routes.js";
export type { components, paths } from "./openapi.js";
