// SPDX-License-Identifier: Apache-2.0
// Who stopped everything and why, what became of the traffic, and the only place that releases the switch.
import {refreshAll, send, view, wordsOf} from './api.js';
import {time} from './format.js';
import {byId, html} from './html.js';

view('kill-switch', ({engaged, actor, reason, at, traffic}) => {
  byId('release').hidden = !engaged;
  return engaged ? html`<p class="number bad">Engaged: nothing begins</p>
      <dl class="facts"><div><dt>By</dt><dd>${actor}</dd></div><div><dt>Since</dt><dd>${time(at)}</dd></div><div><dt>Why</dt><dd>${reason}</dd></div></dl>
      <p>${traffic ? traffic.words : ''}</p>
      <p>Once it is released, runs and schedules may begin again. That takes an admin, and some two seconds.</p>`
    : html`<p class="number good">Not engaged: runs may begin</p>${new Date(at).getTime() > 0 ? html`<p>Last released by ${actor}, ${time(at)}: ${reason}</p>` : html`<p>It was never engaged.</p>`}`;
});

byId('release').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  byId('release-problem').textContent = '';
  try {
    await send('DELETE', '/kill-switch?reason=' + encodeURIComponent(byId('release-reason').value.trim()));
    byId('release-reason').value = '';
    refreshAll();
  } catch (failure) {
    byId('release-problem').textContent = wordsOf(failure);
  }
});
