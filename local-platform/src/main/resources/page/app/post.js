// A post, with its likes and comments.
import {html, nothing, repeat} from '../lit.js';
import {state, changed} from '../store.js';
import {attempt, call, keyOf, Pages, reason} from '../api.js';
import {ago, avatar, icon, list, name, number} from '../parts.js';
import {images} from './media.js';
import {relation, toggle} from './relations.js';

/** The open comments and menus, by the id of their post. */
const comments = new Map();
let menu = null;

/** Posts as articles, in their order. */
export function posts(items) {
  return repeat(items, each => each.id, post);
}

function post(each) {
  const open = comments.get(each.id);
  return html`
    <article class="post ${each.arrived ? 'arrived' : ''}" data-testid="feed-item" data-post-id=${each.id}
        aria-label="Post by ${each.author.display_name}">
      ${avatar(each.author)}
      <div class="body">
        <header>${name(each.author)} <a class="time" href="#/post/${each.id}">${ago(each.created_at)}</a>
          ${each.visibility === 'public' ? nothing : html`<span class="chip">${each.visibility}</span>`}
          ${each.author.id === state.me ? nothing : menuOf(each)}
        </header>
        <p class="text">${text(each)}</p>
        ${images(each)}
        <footer>
          <button class="act like" data-testid="like" aria-pressed=${each.viewer.liked} @click=${() => like(each)}>
            ${icon('heart')}<span>${number(each.likes_count)}</span><span class="visually-hidden"> likes</span>
          </button>
          <button class="act" aria-expanded=${Boolean(open)} @click=${() => toggleComments(each)}>
            ${icon('comment')}<span>${number(each.comments_count)}</span><span class="visually-hidden"> comments</span>
          </button>
        </footer>
        ${open ? discussion(each, open) : nothing}
      </div>
    </article>`;
}

/** The text, in which tags and mentions are links, and what a search found is marked. */
function text(each) {
  let at = 0;
  return each.text.split(/([#@][\p{L}\p{N}_]+)/u).map(part => {
    const word = part.slice(1);
    const shown = marked(part, at, each.highlights ?? []);
    at += part.length;
    if (part[0] === '#' && each.tags.includes(word.toLowerCase())) {
      return html`<a href="#/tag/${encodeURIComponent(word.toLowerCase())}">${shown}</a>`;
    }
    const mention = part[0] === '@' && each.mentions.find(one => one.handle.toLowerCase() === word.toLowerCase());
    return mention ? html`<a href="#/u/${mention.id}">${shown}</a>` : shown;
  });
}

/** A part of a text that begins at a place, with its highlights marked. They are in order and do not overlap. */
function marked(part, at, highlights) {
  const pieces = [];
  let done = 0;
  for (const {from, to} of highlights) {
    const begin = Math.max(from - at, 0);
    const end = Math.min(to - at, part.length);
    if (begin < end) {
      pieces.push(part.slice(done, begin), html`<mark>${part.slice(begin, end)}</mark>`);
      done = end;
    }
  }
  return [...pieces, part.slice(done)];
}

function menuOf(each) {
  const isOpen = menu === each.id;
  return html`<div class="menu" @focusout=${event => {
      if (isOpen && !event.currentTarget.contains(event.relatedTarget)) { menu = null; changed(); }
    }} @keydown=${event => { if (event.key === 'Escape') { menu = null; changed(); } }}>
    <button class="act" aria-expanded=${isOpen} aria-label="More about ${each.author.display_name}"
      @click=${() => { menu = isOpen ? null : each.id; changed(); }}>${icon('more')}</button>
    ${isOpen ? html`<div class="sheet">${relationButtons(each.author)}</div>` : nothing}
  </div>`;
}

/** Buttons for all relations to an account. */
export function relationButtons(account) {
  const now = relation(account.id);
  const button = (kind, isOn, on, off) => html`<button data-testid=${kind} aria-pressed=${Boolean(isOn)}
    @click=${() => toggle(kind, account)}>${isOn ? off : on}</button>`;
  return html`
    ${button('follow', now.following, 'Follow', 'Following')}
    ${now.following ? button('special', now.special, 'Special follow', 'Special') : nothing}
    ${button('mute', now.muting, 'Mute', 'Muted')}
    ${button('block', now.blocking, 'Block', 'Blocked')}`;
}

async function like(each) {
  const isLiked = each.viewer.liked;
  set(each, !isLiked);
  if (!await attempt(isLiked ? 'DELETE' : 'POST', `/v1/posts/${each.id}/like`)) set(each, isLiked);
}

function set(each, liked) {
  each.viewer.liked = liked;
  each.likes_count = Math.max(0, each.likes_count + (liked ? 1 : -1));
  changed();
}

function toggleComments(each) {
  if (comments.delete(each.id)) {
    changed();
    return;
  }
  const open = {pages: new Pages(`/v1/posts/${each.id}/comments`), problem: ''};
  comments.set(each.id, open);
  open.pages.load();
}

function discussion(each, open) {
  return html`<section class="comments" aria-label="Comments">
    ${list(open.pages, items => repeat(items, one => one.id, one => html`
      <div class="comment">${avatar(one.author, 'small')}
        <div><header>${name(one.author)} <span class="time">${ago(one.created_at)}</span></header>
        <p class="text">${one.text}</p></div></div>`), {empty: 'No comments yet.'})}
    <form @submit=${event => comment(event, each, open)}>
      <input name="text" required maxlength="500" autocomplete="off" aria-label="Write a comment"
        placeholder="Write a comment" data-testid="comment-text">
      <button data-testid="comment-send" ?disabled=${open.isSending}>Comment</button>
    </form>
    ${open.problem ? html`<p class="failure" role="alert">${open.problem}</p>` : nothing}
  </section>`;
}

async function comment(event, each, open) {
  event.preventDefault();
  if (open.isSending) return;
  const field = event.target.elements.text;
  const body = {text: field.value};
  open.isSending = true;
  changed();
  try {
    const written = await call('POST', `/v1/posts/${each.id}/comments`, {body, idempotencyKey: keyOf(open, body)});
    open.attempt = null;
    // What was typed meanwhile stays.
    if (field.value === body.text) field.value = '';
    open.problem = '';
    open.pages.items = [...open.pages.items, written];
    each.comments_count++;
  } catch (problem) {
    open.problem = reason(problem);
  }
  open.isSending = false;
  changed();
}
