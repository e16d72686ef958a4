// The field of the search, trending tags, top authors, the posts of a tag, and a single post.
import {html} from '../lit.js';
import {changed} from '../store.js';
import {call, Pages} from '../api.js';
import {failure, list, number} from '../parts.js';
import {delivery, openDelivery} from '../machine/delivery.js';
import {posts} from './post.js';
import {people} from './profile.js';
import {searchField} from './search.js';

let tags = new Pages('/v1/tags/trending');
let authors = new Pages('/v1/leaderboards/authors');
let ofTag = {tag: '', pages: null};
let single = {};

export function openExplore() {
  tags = new Pages('/v1/tags/trending', {limit: 12});
  authors = new Pages('/v1/leaderboards/authors', {limit: 12});
  tags.load();
  authors.load();
}

export function explore() {
  return html`<h1>Explore</h1>
    ${searchField()}
    <section><h2>Trending tags</h2>${list(tags, trending, {empty: 'No tag was used lately.'})}</section>
    <section><h2>Top authors of this month</h2>${list(authors, people, {empty: 'No account is followed yet.'})}</section>`;
}

function trending(items) {
  return html`<ol class="tags">${items.map(each => html`<li><a href="#/tag/${encodeURIComponent(each.tag)}">#${each.tag}</a>
    <span class="quiet">${number(each.posts)} ${each.posts === 1 ? 'post' : 'posts'}</span></li>`)}</ol>`;
}

export function openTag(tag) {
  ofTag = {tag, pages: new Pages(`/v1/tags/${encodeURIComponent(tag)}/posts`)};
  ofTag.pages.load();
}

export function tag() {
  return html`<h1>#${ofTag.tag}</h1>${list(ofTag.pages, posts, {empty: 'No public post has this tag.'})}`;
}

export async function openPost(id) {
  const opened = {id, post: null, problem: null};
  single = opened;
  try {
    opened.post = await call('GET', `/v1/posts/${id}`);
    openDelivery(opened.post);
  } catch (problem) {
    opened.problem = problem;
  }
  changed();
}

export function singlePost() {
  if (single.problem) return failure(single.problem, () => openPost(single.id));
  return html`<h1>Post</h1>${single.post
    ? html`${posts([single.post])}${delivery(single.post)}` : html`<p class="empty">Loading</p>`}`;
}
