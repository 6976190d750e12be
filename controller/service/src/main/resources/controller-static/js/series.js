// SPDX-License-Identifier: Apache-2.0
// A series of runs: its verdict, the figures behind it, and its members.
import {getIfAny, polled, send} from './api.js';
import {duration, number, percent, rate, time, tone, words} from './format.js';
import {byId, html} from './html.js';
import {ask} from './shell.js';

const id = document.body.dataset.subject;

const path = '/series/' + encodeURIComponent(id);

const PERCENT = new Set(['change', 'detectable', 'tolerance', 'amdahl.sigma']);

const SMALL = new Set(['sigma', 'kappa']);

const RATES = new Set(['lambda', 'peak.capacity', 'amdahl.ceiling']);

const WORDS = {lambda: 'λ: capacity of one unit of size', sigma: 'σ: what waits for one another', kappa: 'κ: what has to agree with one another',
  change: 'Change of the new against the old', detectable: 'Smallest change that could have been detected', tolerance: 'Change that matters',
  'peak.size': 'Size at the peak', 'peak.capacity': 'Capacity at the peak',
  'amdahl.sigma': 'Serial part of the work, by Amdahl’s law', 'amdahl.ceiling': 'What no size takes more than, by Amdahl’s law'};

function value(name, amount) {
  if (amount === undefined) return 'unknown';
  return PERCENT.has(name) ? percent(amount) : RATES.has(name) ? rate(amount) : SMALL.has(name) ? amount.toPrecision(3) : number(amount);
}

function figure(one) {
  const interval = one.low !== undefined || one.high !== undefined;
  return html`<tr><th scope="row">${WORDS[one.name] || one.name}</th><td data-label="Value">${value(one.name, one.value)}</td>
    <td data-label="95 % interval">${interval ? `${value(one.name, one.low)} to ${value(one.name, one.high)}` : '–'}</td></tr>`;
}

function member(one, latency) {
  const measure = amount => latency ? duration(amount) : rate(amount);
  return html`<tr><th scope="row">${one.number} ${one.label}</th><td data-label="Instance">${one.instance}</td><td data-label="Size">${number(one.size)}</td>
    <td data-label="State">${one.outcome ? html`<span class="badge ${tone(one.outcome)}">${words(one.outcome)}</span>` : one.runId ? html`<span class="badge live-phase">running</span>` : html`<span class="faint">to come</span>`}</td>
    <td data-label="${latency ? 'Latency' : 'Capacity'}">${measure(one.value)}${one.error ? html` <span class="faint">± ${measure(one.error)} standard error</span>` : ''}</td>
    <td data-label="Run">${one.runId ? html`<a href="/runs/${encodeURIComponent(one.runId)}" aria-label="Run ${one.number}">look at it</a>` : ''} ${one.reason ? html`<span class="faint">${one.reason}</span>` : ''}</td></tr>`;
}

const look = polled(byId('series'), async signal => {
  const series = await getIfAny(path, signal);
  byId('abort').hidden = !series || series.phase === 'Finished';
  if (!series) return html`<p class="empty">There is no series ${id}. It may have been removed.</p>`;
  const result = series.result;
  const latency = series.profile === 'regression' && result.words.startsWith('latency');
  return html`<p><a href="/services/${encodeURIComponent(series.service)}">${series.service}</a> · ${series.profile} · <a href="/plans/${encodeURIComponent(series.plan)}">${series.plan}</a> ·
      ${time(series.createdAt)}${series.finishedAt ? html` to ${time(series.finishedAt)}` : ''}</p>
    <p><span class="badge ${series.phase === 'Finished' ? tone(result.verdict) : 'live-phase'}">${series.phase === 'Finished' ? words(result.verdict) : 'running'}</span>
      ${series.outcome ? html`<span class="faint">${words(series.outcome)}</span>` : ''} <strong>${result.words}</strong></p>
    ${series.reason ? html`<p>${series.reason}</p>` : ''}
    ${result.figures.length ? html`<h2>Figures</h2><table><caption class="visually-hidden">Figures with their 95 % intervals</caption>
      <thead><tr><th scope="col">Figure</th><th scope="col">Value</th><th scope="col">95 % interval</th></tr></thead><tbody>${result.figures.map(figure)}</tbody></table>` : ''}
    ${series.choices.length ? html`<h2>Chosen</h2><ul>${series.choices.map(one => html`<li>${one.side || ''} <strong>${one.instance}</strong>: ${one.why}</li>`)}</ul>` : ''}
    <h2>Members</h2><table><caption class="visually-hidden">Runs of the series in order</caption>
      <thead><tr><th scope="col">Run</th><th scope="col">Instance</th><th scope="col">Size</th><th scope="col">State</th><th scope="col">${latency ? 'Latency' : 'Capacity'}</th><th scope="col">More</th></tr></thead>
      <tbody>${series.members.map(one => member(one, latency))}</tbody></table>`;
}, 5);

byId('abort').addEventListener('click', async () => {
  const done = await ask({
    title: 'Abort this series?', words: 'Its live run ends, traffic is restored, and no more of its runs begin.', action: 'Abort it', reason: 'optional',
    act: reason => send('POST', path + ':abort', reason ? {reason} : {}),
  });
  if (done) look();
});
