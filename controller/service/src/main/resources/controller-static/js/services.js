// SPDX-License-Identifier: Apache-2.0
// All services. What is looked for is in the address.
import {get, polled} from './api.js';
import {number} from './format.js';
import {byId, html} from './html.js';
import {servicesTable} from './services-table.js';

const PAGE = 100;

let limit = PAGE;

const look = polled(byId('services'), async signal => {
  const search = new URLSearchParams(location.search).get('q') || '';
  const fleet = await get(`/sizing/fleet?limit=${limit}${search ? '&search=' + encodeURIComponent(search) : ''}`, signal);
  byId('more').hidden = fleet.services <= fleet.items.length;
  byId('services-count').textContent = fleet.services > fleet.items.length ? `${number(fleet.items.length)} of ${number(fleet.services)}` : number(fleet.services);
  if (!fleet.items.length) return search ? html`<p class="empty">No service has this in its name.</p>`
    : html`<p class="empty">No service is known: no redirector has reported one, and no capacity is recorded. <a href="/">What to do first</a></p>`;
  return servicesTable(fleet);
}, 15);

let asking = 0;

const wanted = new URLSearchParams(location.search).get('q') || '';
// What was typed before this script was there stays, and is looked for.
byId('filter-text').value ||= wanted;
byId('filter').addEventListener('submit', submitted => submitted.preventDefault());
byId('filter').addEventListener('input', () => {
  const text = byId('filter-text').value.trim();
  history.replaceState(null, '', text ? '?q=' + encodeURIComponent(text) : location.pathname);
  limit = PAGE;
  clearTimeout(asking);
  asking = setTimeout(look, 200);
});
if (byId('filter-text').value !== wanted) byId('filter').dispatchEvent(new Event('input'));
byId('more').addEventListener('click', () => {
  limit = Math.min(10000, 2 * limit);
  look();
});
