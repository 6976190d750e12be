// SPDX-License-Identifier: Apache-2.0
// Times in which no traffic is moved.
import {because, get, polled, send, wordsOf} from './api.js';
import {now} from './clock.js';
import {local} from './dates.js';
import {time} from './format.js';
import {byId, html} from './html.js';
import {ask} from './shell.js';

const dialog = byId('freeze');

const look = polled(byId('freezes'), async signal => {
  const {items} = await get('/freezes', signal);
  if (!items.length) return html`<p class="empty">Nothing is frozen, and nothing will be.</p>`;
  const today = new Date(now()).toISOString();
  return html`<ul class="list">${items.map(one => html`<li><div class="line"><strong>${one.service || 'All services'}</strong>
    ${one.from <= today ? html`<span class="badge warn">now</span>` : ''}<span>${time(one.from)} to ${time(one.to)}</span>
    <button type="button" data-needs="operator" data-freeze="${one.id}" data-what="${one.service || 'all services'}" aria-label="End the freeze of ${one.service || 'all services'}: ${one.reason}">End</button></div>
    <p class="faint">${one.reason}, set by ${one.actor} ${time(one.createdAt)}</p></li>`)}</ul>`;
}, 15);

function changed() {
  look();
  document.dispatchEvent(new CustomEvent('redliner:freezes'));
}

byId('freezes').addEventListener('click', async clicked => {
  const button = clicked.target.closest('[data-freeze]');
  if (!button) return;
  const done = await ask({
    title: `End the freeze of ${button.dataset.what}?`, words: 'Runs and schedules may move traffic again.', action: 'End it',
    act: reason => send('DELETE', '/freezes/' + encodeURIComponent(button.dataset.freeze), undefined, because(reason)),
  });
  if (done) changed();
});

byId('add-freeze').addEventListener('click', () => {
  const form = dialog.querySelector('form');
  form.reset();
  dialog.querySelector('.problem').textContent = '';
  const begin = new Date(now());
  begin.setSeconds(0, 0);
  form.elements.service.value = new URLSearchParams(location.search).get('service') || '';
  form.elements.from.value = local(begin);
  form.elements.to.value = local(new Date(begin.getTime() + 86400e3));
  dialog.showModal();
});

byId('freeze-cancel').addEventListener('click', () => dialog.close());

dialog.querySelector('form').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  const fields = submitted.target.elements;
  const problem = dialog.querySelector('.problem');
  const service = fields.service.value.trim();
  try {
    await send('POST', '/freezes', {...(service ? {service} : {}), from: new Date(fields.from.value).toISOString(),
      to: new Date(fields.to.value).toISOString(), reason: fields.reason.value.trim()});
    dialog.close();
    changed();
  } catch (failure) {
    problem.textContent = failure instanceof RangeError ? 'Say from when and to when.' : wordsOf(failure);
  }
});
