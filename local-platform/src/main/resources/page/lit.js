// The only library of the page. A directive of Lit imports Lit by a relative path, so no import map is needed.
export {html, svg, nothing, render} from './lit-html/lit-html.js';
export {repeat} from './lit-html/directives/repeat.js';
export {live} from './lit-html/directives/live.js';
