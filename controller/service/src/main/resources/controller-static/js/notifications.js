// SPDX-License-Identifier: Apache-2.0
// Who was sent what, and who could not be reached. The state that is asked for is in the address.
import {refresh, send, view} from './api.js';
import {ago, time, words} from './format.js';
import {byId, html} from './html.js';
import {pageList} from './pagelist.js';
import {ask} from './shell.js';

const LIMIT = 100;

const STATES = {waiting: ['waiting', 'warn'], delivered: ['delivered', 'good'], dead: ['given up', 'bad']};

view('unreached', found => found.items.length ? html`<table>
    <caption class="visually-hidden">Receivers that did not take something, the newest failures first</caption>
    <thead><tr><th scope="col">Receiver</th><th scope="col">Kind</th><th scope="col">Waiting</th><th scope="col">Given up</th><th scope="col">Last answer</th></tr></thead>
    <tbody>${found.items.map(one => html`<tr><th scope="row">${one.receiver}</th><td data-label="Kind">${one.kind}</td>
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
    <td>${one.state === 'dead' ? html`<button type="button" data-needs="operator" data-id="${one.id}" data-receiver="${one.receiver}" aria-label="Send the message of ${one.createdAt} to ${one.receiver} again">Send again</button>` : ''}</td></tr>`;
}

const list = pageList({
  region: 'notifications',
  fields: ['state'],
  question,
  markup: all => all.length ? html`<table><caption class="visually-hidden">Messages, newest first</caption>
    <thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Service</th><th scope="col">Receiver</th><th scope="col">State</th><th scope="col">Last answer</th><th scope="col">Change</th></tr></thead>
    <tbody>${all.map(row)}</tbody></table>`
    : html`<p class="empty">There is no such message. A plan's section <code>notify</code> says who is sent one.</p>`,
});

byId('notifications').addEventListener('click', async clicked => {
  const button = clicked.target.closest('button[data-id]');
  if (!button) return;
  const done = await ask({
    title: `Send it to ${button.dataset.receiver} again?`, action: 'Send again', reason: false,
    words: 'It is tried anew, as if for the first time.',
    act: () => send('POST', `/notifications/${encodeURIComponent(button.dataset.id)}:retry`),
  });
  if (done) {
    list.lookWithout(button.dataset.id);
    refresh(byId('unreached'));
  }
});
