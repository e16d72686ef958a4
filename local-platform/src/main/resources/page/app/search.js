// The search of posts and accounts by their words.
import {html, nothing} from '../lit.js';
import {Pages} from '../api.js';
import {list} from '../parts.js';
import {posts} from './post.js';
import {people} from './profile.js';

const LONGEST = 128;
let found = {words: ''};

export function openSearch(words = '') {
  found = {words: words.slice(0, LONGEST).trim()};
  if (!found.words) return;
  const query = {q: found.words};
  found.accounts = new Pages('/v1/search/accounts', {limit: 5, query});
  found.posts = new Pages('/v1/search/posts', {query});
  found.accounts.load();
  found.posts.load();
}

/** The field, whose words become the address of the results. */
export function searchField(words = '') {
  return html`<form class="row search" role="search" @submit=${search}>
    <input name="q" type="search" required maxlength=${LONGEST} autocomplete="off" .value=${words} data-testid="search-words"
      aria-label="Words in posts, handles or names" placeholder="Words, or &quot;a phrase&quot;">
    <button class="primary" data-testid="search-send">Search</button>
  </form>`;
}

function search(event) {
  event.preventDefault();
  location.hash = `#/search/${encodeURIComponent(event.target.elements.q.value)}`;
}

export function results() {
  return html`<h1>Search</h1>
    ${searchField(found.words)}
    ${found.words ? html`
      <section><h2>Accounts</h2>${list(found.accounts, people, {empty: 'No account has such a name.', testId: 'found-accounts'})}</section>
      <section><h2>Posts</h2>${list(found.posts, posts, {empty: 'No public post has all of these words.', testId: 'found-posts'})}</section>`
    : nothing}`;
}
