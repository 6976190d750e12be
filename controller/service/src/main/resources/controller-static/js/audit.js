// SPDX-License-Identifier: Apache-2.0
// Who changed what and why. What is asked for is in the address.
import {sentence} from './audit-words.js';
import {time} from './format.js';
import {byId, html} from './html.js';
import {pageList} from './pagelist.js';

const FIELDS = ['service', 'actor', 'since'];

const LIMIT = 100;

function question() {
  const address = new URLSearchParams(location.search);
  const asked = new URLSearchParams({limit: String(LIMIT)});
  for (const field of FIELDS) {
    const value = address.get(field);
    const at = field === 'since' && value ? new Date(value) : null;
    if (value && (!at || !Number.isNaN(at.getTime()))) asked.set(field, at ? at.toISOString() : value);
  }
  return '/audit?' + asked;
}

function status(entry) {
  if (entry.status === undefined) return html`<span class="badge warn" title="It was cut off, or goes on">unknown</span>`;
  return html`<span class="badge ${entry.status < 300 ? 'good' : entry.status < 500 ? 'warn' : 'bad'}">${entry.status < 300 ? 'done' : entry.status === 403 ? 'not allowed' : entry.status < 500 ? 'refused' : 'failed'}</span> <span class="faint">${entry.status}</span>`;
}

const KINDS = {local: 'on this machine', bootstrap: 'by the token of the installation', token: 'by token', oidc: 'by the identity provider', anonymous: 'not signed in'};

function row(entry) {
  return html`<tr><th scope="row">${time(entry.at)}</th><td data-label="What">${sentence(entry)}
      <span class="faint audit-how">${KINDS[entry.kind] || entry.kind}, from ${entry.address} · <code>${entry.method} ${entry.resource}</code></span></td>
    <td data-label="Became">${status(entry)}</td><td data-label="Why"><bdi>${entry.reason || ''}</bdi></td></tr>`;
}

pageList({
  region: 'audit',
  fields: FIELDS,
  question,
  markup: all => all.length ? html`<table><caption class="visually-hidden">Entries, newest first</caption>
    <thead><tr><th scope="col">When</th><th scope="col">What happened</th><th scope="col">Became</th><th scope="col">Why</th></tr></thead>
    <tbody>${all.map(row)}</tbody></table>`
    : html`<p class="empty">There is no such entry.</p>`,
  failed(failure) {
    byId('more').hidden = true;
    if (failure.status !== 403) throw failure;
    return html`<div class="empty"><p><strong>The audit log is for admins.</strong></p><p>${failure.message}</p></div>`;
  },
});
