// The home feed, which moves by itself, and the form for a new post.
import {html, nothing} from '../lit.js';
import {changed} from '../store.js';
import {call, keyOf, Pages, reason} from '../api.js';
import {list} from '../parts.js';
import {attachments, uploaded} from './media.js';
import {posts} from './post.js';

const LONGEST = 500;
let feed = new Pages('/v1/feed');
const draft = {text: '', visibility: 'public', media: [], isSending: false, problem: ''};

/** Reads the feed of the present account from its beginning. */
export function loadFeed({isQuiet = false} = {}) {
  // An upload belongs to the account that was chosen before.
  for (const each of draft.media) each.id = null;
  feed = new Pages('/v1/feed', {isQuiet});
  return feed.load();
}

/** Reads the first page again, and keeps what is shown until it is there, and what arrives meanwhile. */
export async function refreshFeed() {
  const shown = feed;
  const before = new Set(shown.items.map(each => each.id));
  const fresh = await new Pages('/v1/feed', {isQuiet: true}).load();
  // Another account was chosen, or the feed was opened again.
  if (feed !== shown || fresh.state !== 'ready') return;
  // A like or a block of the meantime may be newer than the page: what is shown stays as it is, and what left does not return.
  const now = new Map(shown.items.map(each => [each.id, each]));
  const known = new Set(fresh.items.map(each => each.id));
  const arrived = shown.items.filter(each => each.arrived && !before.has(each.id) && !known.has(each.id));
  const read = fresh.items.filter(each => now.has(each.id) || !before.has(each.id));
  fresh.items = [...arrived, ...read.map(each => now.get(each.id) ?? each)];
  feed = fresh;
  changed();
}

/** Shows a post that has just come into the feed. Feeds are in the order of their ids. */
export function arrive(post) {
  if (feed.items.some(each => each.id === post.id)) return;
  post.arrived = true;
  const at = feed.items.findIndex(each => each.id < post.id);
  feed.items.splice(at < 0 ? feed.items.length : at, 0, post);
  feed.items = [...feed.items];
  changed();
}

/** Hides the posts of an account at once. */
export function hide(author) {
  feed.items = feed.items.filter(each => each.author.id !== author);
  changed();
}

/** Reads a post of the feed again, whose counts have changed. */
export async function refreshPost(id) {
  const shown = feed.items.find(each => each.id === id);
  if (!shown) return;
  try {
    const fresh = await call('GET', `/v1/posts/${id}`, {isQuiet: true});
    Object.assign(shown, fresh, {arrived: shown.arrived});
    changed();
  } catch {
    // A post that is gone leaves the feed with the next page.
  }
}

export function home() {
  return html`<h1 class="visually-hidden">Home</h1>
    ${compose()}
    ${list(feed, posts, {empty: 'Nothing here yet. Follow an account under Explore, or write a post.', testId: 'feed'})}`;
}

function compose() {
  const left = LONGEST - [...draft.text].length;
  return html`<form class="compose" aria-label="New post" @submit=${event => { event.preventDefault(); write(); }}>
    <textarea data-testid="compose-text" rows="3" aria-label="Text of the post" placeholder="What is new? #tags and @mentions work."
      .value=${draft.text} @input=${event => { draft.text = event.target.value; changed(); }}
      @keydown=${event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) write(); }}></textarea>
    <div class="row">
      <select aria-label="Who can see it" @change=${event => { draft.visibility = event.target.value; }}>
        ${visibility('public', 'Public')}${visibility('followers', 'Followers')}${visibility('private', 'Only me')}
      </select>
      <span class="left ${left < 0 ? 'over' : ''}">${left}</span>
      <button class="primary" data-testid="compose-send" ?disabled=${draft.isSending || left < 0 || !draft.text.trim()}>Post</button>
    </div>
    ${attachments(draft)}
    ${draft.problem ? html`<p class="failure" role="alert">${draft.problem}</p>` : nothing}
  </form>`;
}

function visibility(value, name) {
  return html`<option value=${value} .selected=${draft.visibility === value}>${name}</option>`;
}

async function write() {
  if (draft.isSending || !draft.text.trim()) return;
  draft.isSending = true;
  draft.problem = '';
  changed();
  try {
    const body = {text: draft.text, visibility: draft.visibility};
    if (draft.media.length) body.media = await uploaded(draft);
    const written = await call('POST', '/v1/posts', {body, idempotencyKey: keyOf(draft, body)});
    draft.attempt = null;
    draft.text = '';
    draft.media = [];
    arrive(written);
  } catch (problem) {
    draft.problem = reason(problem);
  }
  draft.isSending = false;
  changed();
}
