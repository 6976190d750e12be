// SPDX-License-Identifier: Apache-2.0
// Runs that ended and after which traffic was not measured as natural. They stay on the board for a day, or as long as they are kept
// when it was measured otherwise, until it is measured in a later run of the same instance, or until somebody takes them off it.
import {refresh} from './api.js';
import {time} from './format.js';
import {byId, html, showChanged} from './html.js';
import {stateOf, stateWords} from './run-state.js';
import {keep, kept} from './storage.js';

const SEEN = 'unproven-seen';

/** Ids that are remembered at most. */
const MAX_SEEN = 200;

/** The ids that this browser remembers. Anything else that is stored takes no run off the board. */
function remembered() {
  const ids = kept('browser', SEEN);
  return Array.isArray(ids) ? ids.filter(id => typeof id === 'string' && id) : [];
}

const seen = new Set(remembered());

let unproven = [];

const card = run => html`<li class="card run-card" data-tone="${stateOf(run).tone}">${stateWords(stateOf(run), '')}
  <p class="run-card-title"><a href="/runs/${encodeURIComponent(run.id)}"><bdi>${run.service}</bdi></a> <span class="faint"><bdi>${run.sut}</bdi></span></p>
  <p class="unproven-detail">Ended ${time(run.finishedAt)}. <bdi>${run.restore.detail}</bdi></p>
  <p class="actions start"><a class="button" href="/services/${encodeURIComponent(run.service)}">Look at its traffic</a>
    <button type="button" data-seen="${run.id}" aria-label="Take the run of ${run.service} off this board">Take off this board</button></p></li>`;

function draw() {
  const open = unproven.filter(run => !seen.has(run.id));
  byId('unproven').hidden = !open.length;
  showChanged(byId('unproven-runs'), open.map(card));
}

byId('unproven-runs').addEventListener('click', clicked => {
  const button = clicked.target.closest('[data-seen]');
  if (!button) return;
  seen.add(button.dataset.seen);
  keep('browser', SEEN, JSON.stringify([...seen].slice(-MAX_SEEN)));
  draw();
  refresh(document.querySelector('[data-view=alarms]'));
  byId('main').focus({preventScroll: true});
});

// Taken off in another tab of this browser.
addEventListener('storage', changed => {
  if (changed.key !== SEEN) return;
  remembered().forEach(id => seen.add(id));
  draw();
});

/** Returns whether an alarm is the one of a run's card that somebody took off this board. Other alarms may name the run: they stay. */
export const isTakenOff = alarm => [...seen].some(id => alarm.startsWith(`When run ${id} of `));

/** Shows the runs that ended unproven, in their order. */
export function showUnproven(runs) {
  unproven = runs;
  draw();
}
