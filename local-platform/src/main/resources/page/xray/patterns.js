// The access patterns of the table. Each can be run as the present account, through the route of the API that it serves.
import {html, nothing} from '../lit.js';
import {state, changed} from '../store.js';
import {call, local, read, reason} from '../api.js';
import {failure} from '../parts.js';
import {call as callView} from './xray.js';

const NO_POST = 'The feed of this account has no post with a tag to ask about. Act as an account that follows others.';

/** A request whose calls contain those of the pattern. */
const REQUESTS = {
  'FEED-001': post => `/v1/users/${post.author.id}`,
  'FEED-002': () => `/v1/users/${state.me}/posts`,
  'FEED-003': () => '/v1/feed',
  'FEED-004': post => `/v1/posts/${post.id}`,
  'FEED-005': post => `/v1/posts/${post.id}/likes`,
  'FEED-006': post => `/v1/posts/${post.id}/comments`,
  'FEED-007': post => `/v1/tags/${encodeURIComponent(post.tags[0])}/posts`,
  'FEED-008': () => `/v1/users/${state.me}/followers`,
  'FEED-009': () => '/v1/notifications?unread=true',
  'FEED-010': () => '/v1/leaderboards/authors',
  'FEED-011': () => `/v1/users/${state.me}/following`,
  'FEED-012': post => `/v1/relationships?ids=${encodeURIComponent(post.author.id)}`,
  'FEED-013': () => '/v1/notifications',
  'FEED-014': () => '/v1/users/me/blocks',
  'FEED-015': () => '/v1/tags/trending',
  'FEED-016': () => '/v1/users/me/likes',
  'FEED-017': () => '/v1/users/me/comments',
  'FEED-018': () => '/v1/users/me/media',
  'FEED-019': () => '/v1/operator/suspicious',
};

/** What the tokens of some requests need. */
const SCOPES = {'FEED-019': ['feed:operate']};

let patterns = [];
let problem = null;
/** The pattern that was run last, with what it called and answered. */
let run = {};

export async function openPatterns() {
  run = {};
  problem = null;
  try {
    patterns = (await read('/v1/access-patterns')).items;
  } catch (failed) {
    problem = failed;
  }
  changed();
}

export function patternsView() {
  return html`<h1>Access patterns</h1>
    <p class="quiet">Each question that the table answers, as the code declares it. Run one to see its query and its answer.</p>
    ${problem ? failure(problem, openPatterns) : nothing}
    ${patterns.map(pattern)}`;
}

function pattern(each) {
  return html`<section class="pattern" data-testid="pattern" data-pattern=${each.id} aria-busy=${run.id === each.id && run.isBusy}>
    <div class="line"><b>${each.id}</b> <h2>${each.title}</h2><span class="index">${each.index ?? 'table'}</span>
      <button ?disabled=${run.isBusy} @click=${() => start(each)}>Run</button></div>
    <p class="quiet">${each.path} · ${each.order ? `${each.order.replaceAll('_', ' ')} · ` : ''}at most ${each.max_page}
      · p99 ${each.goal_ms} ms</p>
    ${run.id === each.id ? outcome() : nothing}</section>`;
}

async function start({id, index, path: calling}) {
  run = {id, isBusy: true};
  changed();
  const mine = run;
  try {
    const path = REQUESTS[id](await somePost());
    let requestId;
    const answer = await call('GET', path, {scopes: SCOPES[id], onExchange: ({response}) => { requestId = response.headers.get('X-Request-Id'); }});
    mine.path = path;
    mine.answer = JSON.stringify(answer, null, 2);
    const {calls, request} = await local('GET', `xray/requests/${encodeURIComponent(requestId)}`);
    const [operation] = calling.split(' ');
    mine.own = calls.filter(each => each.request.index === index && each.request.operation === operation);
    mine.others = calls.length - mine.own.length;
    mine.units = request.units;
  } catch (failed) {
    mine.problem = failed;
  }
  mine.isBusy = false;
  changed();
}

/** A post of the feed with a tag, of another account if there is one. */
async function somePost() {
  const {items} = await read('/v1/feed?limit=50');
  const tagged = items.filter(each => each.tags.length);
  const post = tagged.find(each => each.author.id !== state.me) ?? tagged[0];
  if (!post) throw new Error(NO_POST);
  return post;
}

function outcome() {
  return html`
    ${run.problem ? html`<p class="error" role="alert">${run.problem.code === 'not_found' ? 'The X-ray does not have it.' : reason(run.problem)}</p>` : nothing}
    ${run.own ? html`<p class="quiet">${run.units.read} read units for <code>GET ${run.path}</code>${run.others
      ? `, with ${run.others} other ${run.others === 1 ? 'call' : 'calls'} for what it shows` : ''}.</p>${run.own.map(callView)}` : nothing}
    ${run.answer ? html`<details class="message" open><summary>Answer</summary><pre tabindex="0">${run.answer}</pre></details>` : nothing}`;
}
