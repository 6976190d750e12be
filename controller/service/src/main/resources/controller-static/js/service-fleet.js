// SPDX-License-Identifier: Apache-2.0
// Whether the fleet survives its peak, and its instances with what is known of them.
import {because, get, polled, refresh, send, wordsOf} from './api.js';
import {ago, capacity, certainty, number, percent, rate, time} from './format.js';
import {byId, html} from './html.js';
import {details} from './service-details.js';

const name = encodeURIComponent(document.body.dataset.subject);

const ANSWERS = {SURVIVES: ['good', 'survives'], SURVIVES_IF_REBALANCED: ['warn', 'survives if traffic is spread anew'],
  DOES_NOT_SURVIVE: ['bad', 'does not survive'], UNKNOWN: ['warn', 'unknown']};

function survival(label, one) {
  const [tone, words] = ANSWERS[one.answer];
  return html`<tr><th scope="row">${label}${one.lost ? html` <span class="faint">(${one.lost})</span>` : ''}</th>
    <td data-label="Answer"><span class="badge ${tone}">${words}</span>${one.reason ? html` <span class="faint">${one.reason}</span>` : ''}</td>
    <td data-label="Instances">${one.answer === 'UNKNOWN' && !one.instances ? '–' : one.instances}</td><td data-label="Capacity">${rate(one.capacity)}</td>
    <td data-label="Free">${percent(one.free)}</td></tr>`;
}

function load(label, at) {
  return html`<tbody><tr><th scope="rowgroup" colspan="5">${label}: ${at.load === undefined ? 'peak unknown' : rate(at.load)}</th></tr>
    ${survival('All instances', at.wholeFleet)}${survival('One failure domain lost', at.domainLost)}</tbody>`;
}

/** Whether there is anything that a headroom can be made of. */
async function assessable() {
  const service = await details();
  return Boolean(service && (service.reported || service.tested));
}

const growth = byId('growth');

const PARAMETERS = ['growth', 'peak', 'failureDomains'];

function wanted() {
  const address = new URLSearchParams(location.search);
  return new URLSearchParams(PARAMETERS.filter(field => address.get(field)).map(field => [field, address.get(field)]));
}

for (const field of PARAMETERS) growth.elements[field].value = wanted().get(field) || growth.elements[field].value;

const lookAtHeadroom = polled(byId('headroom'), async signal => {
  let headroom;
  try {
    headroom = await assessable() && await get(`/services/${name}/headroom?${wanted()}`, signal);
    byId('growth-problem').textContent = '';
    for (const field of PARAMETERS) growth.elements[field].removeAttribute('aria-invalid');
  } catch (failure) {
    if (failure.status !== 400) throw failure;
    byId('growth-problem').textContent = failure.message;
    growth.elements[failure.problem.field]?.setAttribute('aria-invalid', 'true');
    return html`<p class="empty">No answer to that.</p>`;
  }
  if (!headroom) return html`<p class="empty">There is no answer: no redirector reports the service, and no capacity is recorded.</p>`;
  const peak = headroom.peak;
  document.dispatchEvent(new CustomEvent('redliner:headroom', {detail: headroom}));
  return html`<p>${peak ? html`Peak: <strong>${rate(peak.requestsPerSecond)}</strong> <span class="faint">${peak.source}${peak.at ? html`, ${time(peak.at)}` : ''}</span>`
    : 'No peak is known: no run measured the service yet. Say one above.'}
    ${headroom.stale ? html` <span class="badge warn">stale</span> <span class="faint">a capacity or the peak is old; test anew</span>` : ''}${certainty(headroom.capacities)}</p>
    <table><caption class="visually-hidden">Headroom now and with growth</caption>
    <thead><tr><th scope="col">Of</th><th scope="col">Answer</th><th scope="col">Instances</th><th scope="col">Capacity</th><th scope="col">Free</th></tr></thead>
    ${load('Today, at the peak', headroom.today)}${load(`With ${percent(headroom.growth)} growth`, headroom.grown)}</table>`;
}, 30);

let asking;

growth.addEventListener('input', () => {
  clearTimeout(asking);
  asking = setTimeout(() => {
    const address = new URLSearchParams(location.search);
    for (const field of PARAMETERS) {
      const value = growth.elements[field].value.trim();
      if (value) address.set(field, value);
      else address.delete(field);
    }
    history.replaceState(null, '', '?' + address);
    lookAtHeadroom();
  }, 300);
});
growth.addEventListener('submit', submitted => submitted.preventDefault());

let known = new Map();

polled(byId('instances'), async signal => {
  const service = await details();
  const [facts, capacities, headroom] = await Promise.all([get(`/services/${name}/instances`, signal),
    service && service.tested ? get(`/capacities/${name}?limit=1000`, signal) : undefined, await assessable() ? get(`/services/${name}/headroom`, signal) : undefined]);
  const live = service && service.reported;
  const stale = new Set((headroom ? headroom.capacities : []).filter(basis => basis.stale).map(basis => basis.instance));
  const all = new Map();
  const of = address => all.get(address) || all.set(address, {address}).get(address);
  (live ? live.instances : []).forEach(one => { of(one.address).share = one.naturalShare; });
  facts.items.forEach(one => { of(one.instance).facts = one; });
  (capacities ? capacities.items : []).forEach(one => { of(one.instance).capacity = one; });
  known = all;
  if (!all.size) return html`<p class="empty">No instance is known.</p>`;
  return html`<table><caption class="visually-hidden">Instances by address</caption>
    <thead><tr><th scope="col">Instance</th><th scope="col">Natural share</th><th scope="col">Version</th><th scope="col">Hardware class</th>
      <th scope="col">Failure domain</th><th scope="col">Newest capacity (95 %)</th><th scope="col">Found</th><th scope="col">Change</th></tr></thead>
    <tbody>${[...all.values()].sort((one, other) => one.address.localeCompare(other.address, undefined, {numeric: true})).map(one => row(one, stale.has(one.address)))}</tbody></table>`;
}, 15);

function row(one, stale) {
  const facts = one.facts || {};
  const found = one.capacity;
  return html`<tr><th scope="row">${one.address}${one.share === undefined ? html` <span class="faint">gone</span>` : ''}</th>
    <td data-label="Natural share">${percent(one.share)}</td>
    <td data-label="Version">${facts.version || 'unknown'}</td><td data-label="Hardware class">${facts.hardware || 'unknown'}</td>
    <td data-label="Failure domain">${facts.failureDomain || 'unknown'}</td>
    <td data-label="Newest capacity (95 %)">${found ? html`<a href="/runs/${encodeURIComponent(found.runId)}">${capacity(found)}</a>${found.version && found.version !== facts.version ? html` <span class="faint">with ${found.version}</span>` : ''}` : 'never found'}</td>
    <td data-label="Found">${found ? html`<span title="${found.recordedAt}">${ago(found.recordedAt)}</span>${stale ? html` <span class="badge warn">stale</span>` : ''}` : ''}
      </td><td data-label="Change">${found && found.previous && found.previous.significance === 'FALL' ? html`<span class="badge bad">fell ${number(found.previous.changePercent)} %</span>` : ''}
      <button type="button" data-needs="operator" data-edit="${one.address}" aria-label="Edit ${one.address}">Edit</button></td></tr>`;
}

const dialog = byId('edit');

const FACTS = ['version', 'hardware', 'failureDomain'];

byId('instances').addEventListener('click', clicked => {
  const button = clicked.target.closest('[data-edit]');
  if (!button) return;
  const one = known.get(button.dataset.edit);
  const form = dialog.querySelector('form');
  dialog.dataset.address = one.address;
  byId('edit-title').textContent = 'Instance ' + one.address;
  dialog.querySelector('.problem').textContent = '';
  form.reset();
  for (const field of FACTS) form.elements[field].value = (one.facts && one.facts[field]) || '';
  dialog.showModal();
});

byId('edit-cancel').addEventListener('click', () => dialog.close());

dialog.querySelector('form').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  const form = submitted.target;
  const facts = Object.fromEntries(FACTS.map(field => [field, form.elements[field].value.trim()]).filter(([, value]) => value));
  try {
    await send('PUT', `/services/${name}/instances/${encodeURIComponent(dialog.dataset.address)}`, facts, because(form.elements.reason.value.trim()));
    dialog.close();
    refresh(byId('instances'));
  } catch (failure) {
    dialog.querySelector('.problem').textContent = wordsOf(failure);
  }
});
