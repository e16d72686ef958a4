// Small parts that all rooms use.
import {html, nothing} from './lit.js';
import {reason} from './api.js';

const COLORS = 8;

/** The avatar of an account, over its initials in a color that follows from the id. */
export function avatar(account, size = '') {
  const sum = [...account.id].reduce((all, sign) => (all * 31 + sign.codePointAt(0)) % 9973, 7);
  const initials = account.display_name.split(/\s+/u).filter(Boolean).slice(0, 2).map(word => [...word][0]).join('');
  return html`<span class="avatar c${sum % COLORS} ${size}" aria-hidden="true">${initials.toUpperCase()}${account.avatar
    ? html`<img src=${account.avatar.files[size === 'large' ? 'medium' : 'small']} alt="">` : nothing}</span>`;
}

export function name(account) {
  return html`<a class="name" href="#/u/${account.id}"><bdi>${account.display_name}</bdi></a>
    <span class="handle">@${account.handle}</span>`;
}

/** How long ago something was. */
export function ago(time) {
  const seconds = Math.max(0, (Date.now() - Date.parse(time)) / 1000);
  const text = seconds < 5 ? 'now'
    : seconds < 60 ? `${Math.floor(seconds)} s`
    : seconds < 3600 ? `${Math.floor(seconds / 60)} min`
    : seconds < 86400 ? `${Math.floor(seconds / 3600)} h`
    : new Date(time).toLocaleDateString(undefined, {month: 'short', day: 'numeric'});
  return html`<time datetime=${time} title=${new Date(time).toLocaleString()}>${text}</time>`;
}

export function number(value) {
  return new Intl.NumberFormat('en', {notation: value >= 10000 ? 'compact' : 'standard', maximumFractionDigits: 1}).format(value);
}

export function dollars(value) {
  return '$' + value.toFixed(2);
}

export function millis(value) {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : value >= 10 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`;
}

const ICONS = {
  home: 'M3 11 12 3l9 8v9a1 1 0 0 1-1 1h-5v-6H9v6H4a1 1 0 0 1-1-1z',
  bell: 'M6 16V10a6 6 0 1 1 12 0v6l2 2H4zM10 21h4',
  explore: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-4 3.5-6 8-6s8 2 8 6',
  machine: 'M4 5h16v5H4zM4 14h16v5H4zM7.5 7.5h.01M7.5 16.5h.01',
  heart: 'M12 20S4 15 4 9a4.2 4.2 0 0 1 8-2 4.2 4.2 0 0 1 8 2c0 6-8 11-8 11z',
  comment: 'M4 5h16v11H10l-5 4v-4H4z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  xray: 'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M4 12h16',
  star: 'm12 4 2.4 5 5.6.7-4.1 3.8 1 5.5-4.9-2.7L7.1 19l1-5.5L4 9.7 9.6 9z',
  light: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
};

export function icon(which) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[which]}></path></svg>`;
}

/** A list in its four states: loading, failed, empty, or items with a button for the next page. */
export function list(pages, item, {empty, testId} = {}) {
  return html`
    <div class="list" data-testid=${testId ?? nothing} aria-busy=${pages.state === 'loading'}>
      ${item(pages.items)}
      ${pages.state === 'loading' ? skeleton(pages.items.length ? 1 : 4) : nothing}
      ${pages.state === 'error' ? failure(pages.problem, () => pages.cursor ? pages.more() : pages.load()) : nothing}
      ${pages.state === 'ready' && !pages.items.length ? html`<p class="empty">${empty}</p>` : nothing}
      ${pages.state === 'ready' && pages.cursor
        ? html`<button class="wide" @click=${() => pages.more()}>More</button>` : nothing}
    </div>`;
}

function skeleton(count) {
  return html`<p class="visually-hidden">Loading</p>
    ${Array.from({length: count}, () => html`<div class="skeleton" aria-hidden="true"><i></i><b></b><b></b></div>`)}`;
}

export function failure(problem, again) {
  return html`<div class="failure" role="alert"><p>${reason(problem)}</p><button @click=${again}>Try again</button></div>`;
}
