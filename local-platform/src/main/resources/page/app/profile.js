// The profile of an account: its posts, its followers, and whom it follows.
import {html, nothing, repeat} from '../lit.js';
import {state, changed} from '../store.js';
import {call, Pages, reason} from '../api.js';
import {avatar, failure, list, name, number} from '../parts.js';
import {choice, upload} from './media.js';
import {posts, relationButtons} from './post.js';

let shown = {};

const PICTURES = ['avatar', 'banner'];
const LISTS = {posts: 'Posts', followers: 'Followers', following: 'Following'};

export function openProfile(id, which = 'posts') {
  shown = {id, which, account: null, problem: null, isSaving: false, refusal: '', pages: new Pages(`/v1/users/${id}/${which}`)};
  load(shown);
  shown.pages.load();
}

async function load(of) {
  try {
    of.account = await call('GET', `/v1/users/${of.id}`);
  } catch (problem) {
    of.problem = problem;
  }
  changed();
}

export function profile() {
  const {account, problem, pages, id, which} = shown;
  if (problem) return failure(problem, () => openProfile(id, which));
  return html`
    ${account?.banner ? html`<img class="banner" data-testid="banner" src=${account.banner.files.medium}
      alt=${account.banner.alt ?? ''}>` : nothing}
    <header class="profile">
      ${account ? html`${avatar(account, 'large')}
        <div class="who"><h1><bdi>${account.display_name}</bdi></h1><p class="handle">@${account.handle}
          ${account.is_celebrity ? html`<span class="chip">celebrity: readers pull the posts</span>` : nothing}</p>
        ${account.bio ? html`<p class="text">${account.bio}</p>` : nothing}
        ${account.id === state.me ? html`<p class="quiet">This is you.</p>${pictures(shown)}`
          : html`<div class="buttons">${relationButtons(account)}</div>`}</div>` : html`<h1>Profile</h1>`}
    </header>
    <nav class="tabs" aria-label="Lists of the profile">
      ${Object.entries(LISTS).map(([key, title]) => html`<a href="#/u/${id}/${key}" aria-current=${key === which ? 'page' : 'false'}>
        ${title} ${account ? html`<b>${number(account[key + '_count'])}</b>` : nothing}</a>`)}
    </nav>
    ${list(pages, which === 'posts' ? posts : people, {empty: 'Nothing here yet.'})}`;
}

/** Buttons that set and remove the pictures of the own profile. */
function pictures(of) {
  return html`<div class="buttons">${PICTURES.map(picture => html`
      ${choice(`${of.account[picture] ? 'Change' : 'Add'} ${picture}`, `set-${picture}`, ([file]) => show(of, picture, file), {isDisabled: of.isSaving})}
      ${of.account[picture] ? html`<button type="button" data-testid="remove-${picture}" ?disabled=${of.isSaving}
        @click=${() => show(of, picture, null)}>Remove ${picture}</button>` : nothing}`)}</div>
    ${of.refusal ? html`<p class="failure" role="alert">${of.refusal}</p>` : nothing}`;
}

async function show(of, picture, file) {
  of.isSaving = true;
  of.refusal = '';
  changed();
  try {
    const id = file ? await upload({file, alt: ''}) : null;
    of.account = await call('PATCH', '/v1/users/me', {body: {[picture]: id}});
  } catch (problem) {
    of.refusal = reason(problem);
  }
  of.isSaving = false;
  changed();
}

/** Accounts as a list. */
export function people(items) {
  return repeat(items, each => each.id, each => html`<div class="person">${avatar(each)}<div class="who">${name(each)}</div>
    ${each.count === undefined ? nothing : html`<b>${number(each.count)}</b>`}
    </div>`);
}
