// SPDX-License-Identifier: Apache-2.0
// Who was sent what, and who could not be reached. The state that is asked for is in the address.
import {get, polled, refresh, send, view, wordsOf} from './api.js';
import {ago, time, words} from './format.js';
import {byId, html} from './html.js';
import {ask} from './shell.js';

const LIMIT = 100;

const STATES = {waiting: ['waiting', 'warn'], delivered: ['delivered', 'good'], dead: ['given up', 'bad']};

let older = [];

let next = null;

view('unreached', list => list.items.length ? html`<table>
    <caption class="visually-hidden">Receivers that did not take something, the newest failures first</caption>
    <thead><tr><th scope="col">Receiver</th><th scope="col">Kind</th><th scope="col">Waiting</th><th scope="col">Given up</th><th scope="col">Last answer</th></tr></thead>
    <tbody>${list.items.map(one => html`<tr><th scope="row">${one.receiver}</th><td data-label="Kind">${one.kind}</td>
      <td data-label="Waiting">${one.waiting}</td><td data-label="Given up">${one.dead ? html`<span class="badge bad">${one.dead}</span>` : 0}</td>
      <td data-label="Last answer">${one.lastError}</td></tr>`)}</tbody></table>`
  : html`<p class="empty">Every receiver took what it was sent.</p>`);

function question() {
  const asked = new URLSearchParams({limit: String(LIMIT)});
  const state = new URLSearchParams(location.search).get('state');
  if (state) asked.set('state', state);
  return '/notifications?' + asked;
}

function row(one) {
  const [name, tone] = STATES[one.state] || [one.state, ''];
  return html`<tr><th scope="row">${time(one.createdAt)}</th>
    <td data-label="Event"><a href="/runs/${encodeURIComponent(one.runId)}">${words(one.event)}</a></td>
    <td data-label="Service"><a href="/services/${encodeURIComponent(one.service)}">${one.service}</a></td>
    <td data-label="Receiver">${one.receiver} <span class="faint">${one.kind}</span></td>
    <td data-label="State"><span class="badge ${tone}">${name}</span> <span class="faint">${one.attempts} ${one.attempts === 1 ? 'attempt' : 'attempts'}${
      one.nextAttemptAt ? html`, next ${ago(one.nextAttemptAt)}` : ''}</span></td>
    <td data-label="Last answer">${one.lastError || ''}</td>
    <td>${one.state === 'dead' ? html`<button type="button" data-id="${one.id}" data-receiver="${one.receiver}" aria-label="Send the message of ${one.createdAt} to ${one.receiver} again">Send again</button>` : ''}</td></tr>`;
}

const look = polled(byId('notifications'), async signal => {
  const page = await get(question(), signal);
  if (!older.length) next = page.nextPageToken;
  byId('more').hidden = !next;
  // New messages push others off the first page; once older ones are shown, these stay.
  const seen = new Set(page.items.map(one => one.id));
  const all = [...page.items, ...older.filter(one => !seen.has(one.id))];
  if (older.length) older = all;
  if (!all.length) return html`<p class="empty">There is no such message. A plan's section <code>notify</code> says who is sent one.</p>`;
  return html`<table><caption class="visually-hidden">Messages, newest first</caption>
    <thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Service</th><th scope="col">Receiver</th><th scope="col">State</th><th scope="col">Last answer</th><th scope="col">Change</th></tr></thead>
    <tbody>${all.map(row)}</tbody></table>`;
}, 15);

function begin() {
  byId('filter-state').value = new URLSearchParams(location.search).get('state') || '';
  older = [];
}

byId('notifications').addEventListener('click', async clicked => {
  const button = clicked.target.closest('button[data-id]');
  if (!button) return;
  const done = await ask({
    title: `Send it to ${button.dataset.receiver} again?`, action: 'Send again', reason: false,
    words: 'It is tried anew, as if for the first time.',
    act: () => send('POST', `/notifications/${encodeURIComponent(button.dataset.id)}:retry`),
  });
  if (done) {
    older = older.filter(one => one.id !== button.dataset.id);
    look();
    refresh(byId('unreached'));
  }
});

byId('filter').addEventListener('submit', submitted => {
  submitted.preventDefault();
  history.pushState(null, '', '?' + new URLSearchParams([...new FormData(byId('filter'))].filter(([, value]) => value)));
  begin();
  look();
});

byId('more').addEventListener('click', async () => {
  byId('more').disabled = true;
  try {
    const asked = question();
    const page = await get(asked + '&pageToken=' + encodeURIComponent(next));
    if (asked !== question()) return;
    older = [...older, ...page.items];
    next = page.nextPageToken;
    byId('more-problem').textContent = '';
    await look();
  } catch (failure) {
    byId('more-problem').textContent = wordsOf(failure);
  } finally {
    byId('more').disabled = false;
  }
});

addEventListener('popstate', () => {
  begin();
  look();
});
begin();
