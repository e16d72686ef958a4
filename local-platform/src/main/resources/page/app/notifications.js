// The notifications of the present account, and the number of unread ones.
import {html, repeat} from '../lit.js';
import {state, changed} from '../store.js';
import {attempt, read, Pages} from '../api.js';
import {ago, avatar, list} from '../parts.js';

const VERBS = {
  follow: 'follows you',
  like: 'likes your post',
  comment: 'commented on your post',
  mention: 'mentioned you',
  post: 'wrote a post',
};
/** The counts lane may be behind the event. */
const LATER = [900, 3_000, 8_000];
/** The most of a page. */
const MOST = 50;
let timers = [];
let pages = new Pages('/v1/notifications');

export function openNotifications() {
  pages = new Pages('/v1/notifications');
  pages.load();
}

/** Reads the unread number now, and again when the counts lane is done. */
export function countUnread() {
  count();
  timers.forEach(clearTimeout);
  timers = LATER.map(millis => setTimeout(count, millis));
}

async function count() {
  const me = state.me;
  try {
    const {count: unread} = await read('/v1/notifications/unread-count');
    if (me !== state.me) return;
    state.unread = unread;
    changed();
  } catch {
    // The next event counts again.
  }
}

/** Shows a notification that has just come. */
export async function notified() {
  countUnread();
  if (state.route.room !== 'notifications') return;
  const shown = pages;
  const fresh = await new Pages('/v1/notifications', {limit: MOST, isQuiet: true}).load();
  while (fresh.state === 'ready' && fresh.cursor && fresh.items.length < shown.items.length) await fresh.more();
  // Another account was chosen, or the list was opened again.
  if (pages !== shown || fresh.state !== 'ready') return;
  pages = fresh;
  changed();
}

export function notifications() {
  return html`<header class="title"><h1>Notifications</h1>
    <button data-testid="read-all" @click=${readAll} ?disabled=${!state.unread}>Mark all as read</button></header>
    ${list(pages, items => repeat(items, each => each.id, one), {empty: 'No notifications yet.'})}`;
}

function one(each) {
  const [first] = each.actors;
  const others = each.count - 1;
  const href = each.post_id ? `#/post/${each.post_id}` : `#/u/${first?.id}`;
  return html`<a class="notification ${each.read ? '' : 'unread'}" href=${href} @click=${() => markRead(each)}>
    ${first ? avatar(first) : ''}
    <span><bdi>${first?.display_name ?? 'Someone'}</bdi>${others > 0 ? ` and ${others} ${others === 1 ? 'other' : 'others'}` : ''}
      ${VERBS[each.type] ?? each.type} <span class="time">${ago(each.created_at)}</span></span>
    ${each.read ? '' : html`<span class="dot"><span class="visually-hidden">unread</span></span>`}
  </a>`;
}

async function markRead(each) {
  if (each.read) return;
  each.read = true;
  if (await attempt('POST', `/v1/notifications/${encodeURIComponent(each.id)}/read`)) countUnread();
}

async function readAll() {
  if (!await attempt('POST', '/v1/notifications/read-all')) return;
  pages.items.forEach(each => { each.read = true; });
  countUnread();
}
