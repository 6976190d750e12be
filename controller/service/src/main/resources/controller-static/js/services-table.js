// SPDX-License-Identifier: Apache-2.0
// Services with their headroom at the peak, how their capacity went, how old and how sure the number is, and what comes next.
import {sparkline} from './capacity-scale.js';
import {doubtfulTone, doubtfulWords, percent, rate, roughly, time, words} from './format.js';
import {html, known} from './html.js';

const VERDICTS = {UNDER_PROVISIONED: ['bad', 'too few instances'], UNKNOWN: ['warn', 'unknown'], OVER_PROVISIONED: ['', 'more than needed'], RIGHT: ['good', 'right size']};

const SURE = {SURE: ['good', 'sure'], DOUBTFUL: ['warn', 'doubtful'], CANNOT_BE_KNOWN: ['warn', 'cannot be known']};

const lastRun = run => run ? html`<a class="badge ${doubtfulTone(run)}" href="/runs/${encodeURIComponent(run.id)}">${doubtfulWords(run)}</a> <span class="faint">${roughly(run.to)}</span>` : html`<span class="faint">never tested</span>`;

/** The least sure of the numbers that an answer rests on. */
function doubt(capacities) {
  const level = ['CANNOT_BE_KNOWN', 'DOUBTFUL', 'SURE'].find(one => capacities.some(({certainty}) => certainty.level === one)) || 'CANNOT_BE_KNOWN';
  const [tone, word] = SURE[level];
  return html`<span class="badge ${tone}" title="${capacities.filter(({certainty}) => certainty.level === level).map(({certainty}) => certainty.words).filter(Boolean).join(' ')}">${word}</span>`;
}

function row(item) {
  const [tone, text] = VERDICTS[item.verdict] || ['warn', words(item.verdict)];
  const newest = [...item.capacities].sort((one, other) => one.recordedAt.localeCompare(other.recordedAt)).at(-1);
  return html`<tr><th scope="row"><a href="/services/${encodeURIComponent(item.service)}" title="${item.service}"><bdi>${item.service}</bdi></a></th>
    <td data-label="Free at the peak"><span class="headroom ${item.free < 0 ? 'bad' : ''}">${known(item.free) ? percent(item.free) : 'unknown'}</span></td>
    <td data-label="Instances">${item.instances}${known(item.needed) ? html` <span class="faint">of ${item.needed} needed</span>` : ''} <span class="badge ${tone}" title="${item.reason}">${text}</span></td>
    <td data-label="Capacity of one">${newest ? html`<span class="trend">${newest.lowerBound ? 'at least ' + rate(newest.low) : rate(newest.capacity)} ${sparkline(item.recent)}</span>` : html`<span class="faint">not known</span>`}</td>
    <td data-label="Found">${newest ? html`<span title="${newest.recordedAt}">${roughly(newest.recordedAt)}</span>${item.stale ? html` <span class="badge warn">old</span>` : ''}` : '–'}</td>
    <td data-label="How sure">${newest ? doubt(item.capacities) : '–'}</td>
    <td data-label="Next run">${item.nextStart ? html`${time(item.nextStart.at)} <span class="faint">${roughly(item.nextStart.at)}</span>` : html`<span class="faint">none</span>`}</td>
    <td data-label="Last run">${lastRun(item.lastRun)}</td></tr>`;
}

/** A table of services, those with too few instances first. */
export const servicesTable = fleet => html`<table class="services">
  <caption class="visually-hidden">Services, those with too few instances first</caption>
  <thead><tr><th scope="col">Service</th><th scope="col">Free at the peak</th><th scope="col">Instances</th><th scope="col">Capacity of one</th><th scope="col">Found</th><th scope="col">How sure</th><th scope="col">Next run</th><th scope="col">Last run</th></tr></thead>
  <tbody>${fleet.items.map(row)}</tbody></table>`;
