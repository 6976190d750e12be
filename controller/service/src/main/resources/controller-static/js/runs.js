// SPDX-License-Identifier: Apache-2.0
// All runs, newest first; what is asked for is in the address.
/* global htmx */
import {get, refresh, view} from './api.js';
import {smallScale} from './capacity-scale.js';
import {badge, capacity, duration, time} from './format.js';
import {byId, html} from './html.js';

const region = byId('runs');

let older = [];

let next = null;

function row(run) {
  const seconds = run.finishedAt ? (new Date(run.finishedAt) - new Date(run.submittedAt)) / 1000 : undefined;
  return html`<tr>
    <th scope="row"><a href="/runs/${encodeURIComponent(run.id)}">${time(run.submittedAt)}</a></th>
    <td data-label="Service"><a href="/services/${encodeURIComponent(run.service)}">${run.service}</a></td>
    <td data-label="Instance">${run.sut}</td>
    <td data-label="Profile">${run.profile}</td>
    <td data-label="State">${badge(run)}</td>
    <td data-label="Answer">${run.result ? html`${capacity(run.result)}${smallScale(run.result)}` : run.stopReason ? run.stopReason.detail : ''}</td>
    <td data-label="Took">${duration(seconds)}</td></tr>`;
}

view('runs', page => {
  if (!older.length) next = page.nextPageToken;
  byId('more').hidden = !next;
  const all = [...page.items, ...older];
  if (!all.length) return html`<p class="empty">There is no such run.</p>`;
  return html`<table>
    <caption class="visually-hidden">Runs, newest first</caption>
    <thead><tr><th scope="col">Submitted</th><th scope="col">Service</th><th scope="col">Instance</th><th scope="col">Profile</th><th scope="col">State</th><th scope="col">Answer</th><th scope="col">Took</th></tr></thead>
    <tbody>${all.map(row)}</tbody></table>`;
});

function question() {
  const asked = new URLSearchParams(location.search);
  asked.set('limit', '50');
  return '/runs?' + asked;
}

// At first, what was typed before this script was there stays.
function begin(first = false) {
  const asked = new URLSearchParams(location.search);
  for (const name of ['service', 'phase']) byId('filter-' + name).value = (first && byId('filter-' + name).value) || asked.get(name) || '';
  older = [];
  region.setAttribute('hx-get', '/api/v1' + question());
  htmx.process(region);
  refresh(region);
}

byId('filter').addEventListener('submit', submitted => {
  submitted.preventDefault();
  const asked = new URLSearchParams([...new FormData(byId('filter'))].filter(([, value]) => value));
  history.pushState(null, '', '?' + asked);
  begin();
});

byId('more').addEventListener('click', async () => {
  const page = await get(question() + '&pageToken=' + encodeURIComponent(next));
  older.push(...page.items);
  next = page.nextPageToken;
  refresh(region);
});

addEventListener('popstate', () => begin());
document.addEventListener('DOMContentLoaded', () => begin(true));
