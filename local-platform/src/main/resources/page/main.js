// The page: chooses the room by the address, and renders it.
import {html, nothing, render} from './lit.js';
import {state, changed, drawWith, account} from './store.js';
import {follow} from './live.js';
import {avatar, failure, icon, number} from './parts.js';
import {actingAs, loadAccounts, newAccount, remember, startingAccount} from './app/accounts.js';
import {arrive, hide, home, loadFeed, refreshFeed, refreshPost} from './app/home.js';
import {countUnread, notifications, notified, openNotifications} from './app/notifications.js';
import {openProfile, profile} from './app/profile.js';
import {explore, openExplore, openPost, openTag, singlePost, tag} from './app/explore.js';
import {forget, watchHidden} from './app/relations.js';
import {openSearch, results} from './app/search.js';
import {lanesInShort, machine, openMachine, startMachine} from './machine/machine.js';
import {openPatterns, patternsView} from './xray/patterns.js';
import {openTable, tableView} from './xray/table.js';
import {startXray, xray} from './xray/xray.js';

/** Each room: what it reads when it opens, and what it shows. */
const ROOMS = {
  home: {open: () => loadFeed(), view: home},
  notifications: {open: openNotifications, view: notifications},
  explore: {open: openExplore, view: explore},
  search: {open: openSearch, view: results},
  u: {open: openProfile, view: profile},
  tag: {open: openTag, view: tag},
  post: {open: openPost, view: singlePost},
  machine: {open: openMachine, view: machine},
  patterns: {open: openPatterns, view: patternsView},
  table: {open: openTable, view: tableView},
};

const LOST = 'The connection is lost. Trying again; nothing will be missed.';

let started = null;

function route() {
  const [room, ...parts] = location.hash.replace(/^#\/?/, '').split('/').map(decoded);
  state.route = {room: Object.hasOwn(ROOMS, room) ? room : 'home', parts};
  if (state.me) ROOMS[state.route.room].open(...parts);
  scrollTo(0, 0);
  changed();
}

/** An address that a user typed may have a percent sign that encodes nothing. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Acts as another account from now on. */
function choose(id) {
  state.me = id;
  state.unread = 0;
  remember(id);
  forget();
  countUnread();
  follow(id, {
    event(kind, data) {
      if (kind === 'feed_entry') arrive(data);
      if (kind === 'notification') {
        notified();
        if (data.post_id) refreshPost(data.post_id);
      }
    },
    resync() {
      refreshFeed();
      notified();
    },
  });
  route();
}

function page() {
  return html`
    <a class="skip" href="#main" @click=${event => { event.preventDefault(); document.getElementById('main').focus(); }}>To the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src="/page/icon.svg" alt="" width="28" height="28">Feed platform</a>
      ${actingAs(choose)}
      <button class="act" aria-label="Switch between light and dark" @click=${switchTheme}>${icon('light')}</button>
    </header>
    ${state.connection === 'lost' ? html`<p class="lost" role="alert">${LOST}</p>` : nothing}
    <div class="columns">
      <nav class="rooms" aria-label="Rooms">${rooms()}</nav>
      <main id="main" tabindex="-1">
        ${started ? failure(started, start) : nothing}
        ${newAccount(choose)}
        ${state.me ? ROOMS[state.route.room].view() : nothing}
      </main>
      ${xray()}
    </div>
    <p class="announcement" role="status">${state.message}</p>`;
}

function rooms() {
  const {room, parts} = state.route;
  const me = account(state.me);
  const isAt = name => name === 'me' ? room === 'u' && parts[0] === state.me
    : room === name || (name === 'explore' && room === 'search');
  const link = (name, href, which, title, extra = nothing) => html`<a href=${href} aria-current=${isAt(name) ? 'page' : 'false'}>
    ${icon(which)}<span>${title}</span>${extra}</a>`;
  return html`
    ${link('home', '#/home', 'home', 'Home')}
    ${link('notifications', '#/notifications', 'bell', 'Notifications', unread())}
    ${link('explore', '#/explore', 'explore', 'Explore')}
    ${me ? html`<a class="me" href="#/u/${me.id}" aria-current=${isAt('me') ? 'page' : 'false'}>
      ${avatar(me, 'tiny')}<span>Profile</span></a>` : nothing}
    ${link('machine', '#/machine', 'machine', html`Machine<span class="wide-word"> room</span>`)}
    ${lanesInShort()}`;
}

function unread() {
  return html`<b class="badge ${state.unread ? '' : 'none'}" data-testid="unread">${number(state.unread)}</b>`;
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  localStorage.setItem('feed.theme', root.dataset.theme);
}

async function start() {
  started = null;
  try {
    await loadAccounts();
    const first = startingAccount();
    if (first) choose(first); else route();
  } catch (problem) {
    started = problem;
    changed();
  }
}

document.documentElement.dataset.theme = localStorage.getItem('feed.theme') ?? '';
drawWith(() => render(page(), document.getElementById('page')));
watchHidden(hide);
startXray();
startMachine();
addEventListener('hashchange', route);
/** Keeps the times on the page current. */
setInterval(changed, 20_000);
changed();
start();
