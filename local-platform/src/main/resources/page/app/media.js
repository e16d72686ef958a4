// Images: those of a new post, those that a post shows, and the pictures of a profile.
import {html, nothing} from '../lit.js';
import {changed} from '../store.js';
import {call, put} from '../api.js';

const MOST = 4;
const TYPES = 'image/jpeg,image/png,image/gif';

/** A button that lets the user choose images. */
export function choice(title, testId, chosen, {isMultiple = false, isDisabled = false} = {}) {
  return html`<button type="button" ?disabled=${isDisabled} @click=${event => event.currentTarget.nextElementSibling.click()}>${title}</button>
    <input type="file" ?multiple=${isMultiple} accept=${TYPES} class="visually-hidden" tabindex="-1" aria-label=${title} data-testid=${testId}
      @change=${event => { if (event.target.files.length) chosen([...event.target.files]); event.target.value = ''; }}>`;
}

/** The images of a draft, with a field to add one and a description for each. */
export function attachments(draft) {
  return html`
    <div class="row attach">
      ${choice('Add images', 'compose-media', files => add(draft, files), {isMultiple: true, isDisabled: draft.isSending})}
    </div>
    ${draft.media.map(each => html`<div class="row attachment">
      <span class="chip">${each.file.name}</span>
      <input aria-label="Description of ${each.file.name}" placeholder="Describe the image" maxlength="1000"
        .value=${each.alt} ?disabled=${Boolean(each.id)} @input=${event => { each.alt = event.target.value; }}>
      <button type="button" aria-label="Remove ${each.file.name}" ?disabled=${draft.isSending}
        @click=${() => { draft.media = draft.media.filter(other => other !== each); changed(); }}>Remove</button>
    </div>`)}`;
}

function add(draft, files) {
  const all = [...draft.media, ...files.map(file => ({file, alt: '', id: null}))];
  draft.problem = all.length > MOST ? `A post shows at most ${MOST} images.` : '';
  draft.media = all.slice(0, MOST);
  changed();
}

/**
 * Uploads the images of a draft that are not uploaded yet, and returns the ids of all.
 *
 * @throws what {@link reason} of the API explains
 */
export async function uploaded(draft) {
  for (const each of draft.media) each.id ??= await upload(each);
  return draft.media.map(each => each.id);
}

/**
 * Uploads an image and returns its id.
 *
 * @throws what {@link reason} of the API explains
 */
export async function upload({file, alt}) {
  const bytes = await file.arrayBuffer();
  const digest = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))];
  const body = {
    content_type: file.type, bytes: bytes.byteLength,
    sha256: digest.map(byte => byte.toString(16).padStart(2, '0')).join(''),
  };
  if (alt.trim()) body.alt = alt;
  const announced = await call('POST', '/v1/media', {body});
  await put(announced, bytes);
  await call('POST', `/v1/media/${announced.id}/complete`);
  return announced.id;
}

/** The images of a post. The address of each ends after minutes, and the next page has a new one. */
export function images(post) {
  return post.media?.length ? html`<div class="images">${post.media.map(each => html`
    <a href=${each.files.original} target="_blank" rel="noopener"><img data-testid="image" loading="lazy" src=${each.files.medium}
      alt=${each.alt ?? ''} width=${each.width} height=${each.height}></a>`)}</div>` : nothing;
}
