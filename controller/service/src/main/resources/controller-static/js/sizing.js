// SPDX-License-Identifier: Apache-2.0
// How many instances a target needs; answers as one types. What is asked for is in the address.
import {ApiError, send, wordsOf} from './api.js';
import {ago, certainty, number, percent, rate} from './format.js';
import {byId, html, show} from './html.js';

const service = document.body.dataset.subject;

const form = byId('sizing');

const region = byId('sizing-answer');

const FIELDS = {targetRequestsPerSecond: 'target', headroom: 'free', failureDomains: 'domains', headroomAtLoss: 'atLoss', hardware: 'class', low: 'low'};

let touched = false;

let question = 0;

let waiting;

function begin() {
  const address = new URLSearchParams(location.search);
  for (const [field, short] of Object.entries(FIELDS)) {
    const value = address.get('size-' + short);
    if (value !== null) {
      form.elements[field].value = value;
      touched ||= field === 'targetRequestsPerSecond';
    }
  }
  if (address.get('size-loss') === 'no') form.elements.surviveLoss.checked = false;
}

function keep() {
  const address = new URLSearchParams(location.search);
  for (const [field, short] of Object.entries(FIELDS)) {
    const value = form.elements[field].value.trim();
    if (value && value !== form.elements[field].defaultValue) address.set('size-' + short, value);
    else address.delete('size-' + short);
  }
  if (form.elements.surviveLoss.checked) address.delete('size-loss');
  else address.set('size-loss', 'no');
  history.replaceState(null, '', '?' + address);
}

/** Numbers as numbers, everything else as it was typed: the API says what is wrong with it. */
function order() {
  const text = field => form.elements[field].value.trim();
  const plain = value => /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  const low = text('low');
  return {
    ...(low ? {capacity: {low: plain(low)}} : {service}),
    targetRequestsPerSecond: plain(text('targetRequestsPerSecond')),
    ...(text('headroom') ? {headroom: text('headroom')} : {}),
    ...(text('failureDomains') ? {failureDomains: plain(text('failureDomains'))} : {}),
    surviveLoss: form.elements.surviveLoss.checked,
    ...(text('headroomAtLoss') ? {headroomAtLoss: text('headroomAtLoss')} : {}),
    ...(text('hardware') && !low ? {hardware: text('hardware')} : {}),
  };
}

function domains(perDomain) {
  const sizes = perDomain.slice(0, 12).join(' + ');
  return perDomain.length > 1 ? html`<p>Spread over failure domains: ${sizes}${perDomain.length > 12 ? ' + …' : ''}</p>` : '';
}

function working(label, at) {
  return at ? html`<tr><th scope="row">${label}</th><td data-label="Instances">${number(at.instances)}</td><td data-label="Load of each">${rate(at.load)}</td>
    <td data-label="Of its capacity">${percent(at.utilisation)}</td></tr>` : '';
}

function sized(one) {
  const basis = one.capacity;
  return html`<div class="answer"><p><span class="number">${number(one.instances)}</span> ${one.instances === 1 ? 'instance' : 'instances'}${one.hardware ? ' of ' + one.hardware : ''}</p>
    <p class="faint">Each counts for ${rate(one.low)}, ${basis ? html`the low end of what was found on ${basis.instance} ${ago(basis.recordedAt)}` : 'as you say'}.
      ${basis && basis.stale ? html`<span class="badge warn">stale</span> test anew before you rely on it` : ''}${basis ? certainty([basis]) : ''}
      ${basis && basis.certainty.words ? html` ${basis.certainty.words}` : ''}</p>
    ${domains(one.perDomain)}
    <table><caption class="visually-hidden">How they would work</caption>
      <thead><tr><th scope="col">When</th><th scope="col">Instances</th><th scope="col">Load of each</th><th scope="col">Of its capacity</th></tr></thead>
      <tbody>${working('All are there', one.normal)}${working('The largest domain is lost', one.domainLost)}</tbody></table></div>`;
}

function tellProblem(failure) {
  const problem = failure.problem || {};
  const faults = problem.errors || [{field: problem.field || '', message: failure.message}];
  let elsewhere = '';
  for (const fault of faults) {
    const field = String(fault.field).replace(/^\$\.?/, '').split(/[.[]/)[0];
    const place = form.querySelector(`[data-problem-of="${CSS.escape(field)}"]`);
    const input = field === 'capacity' ? form.elements.low : form.elements[field];
    if (place && input) {
      place.textContent = fault.message;
      place.id ||= 'sizing-problem-of-' + field;
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-describedby', place.id);
    } else {
      elsewhere = fault.message;
    }
  }
  byId('sizing-problem').textContent = elsewhere;
}

function forget() {
  form.querySelectorAll('[data-problem-of]').forEach(place => { place.textContent = ''; });
  form.querySelectorAll('[aria-invalid]').forEach(input => input.removeAttribute('aria-invalid'));
  byId('sizing-problem').textContent = '';
}

async function answer() {
  const turn = ++question;
  if (!form.elements.targetRequestsPerSecond.value.trim()) {
    forget();
    mark('ready');
    return show(region, html`<p class="empty">Say how many requests per second the service has to carry.</p>`);
  }
  try {
    const size = await send('POST', '/sizing', order());
    // Answers may overtake one another; only that to the newest question counts.
    if (turn !== question) return;
    forget();
    mark('ready');
    region.dataset.filled = 'yes';
    show(region, html`${size.classes.map(sized)}<p class="faint">${size.assumption}</p>`);
  } catch (failure) {
    if (turn !== question) return;
    forget();
    if (failure instanceof ApiError) {
      tellProblem(failure);
      mark('ready');
      show(region, html`<p class="empty">No answer to that.</p>`);
    } else {
      byId('sizing-problem').textContent = wordsOf(failure, 'This answer is old.');
      mark('stale');
    }
  }
}

function mark(state) {
  region.dataset.state = state;
  byId('sizing-state').textContent = state === 'stale' ? 'Old: the answer to what stood here before.' : '';
}

function ask() {
  // From the first key on, what is shown is the answer to another question.
  if (region.dataset.filled) mark('stale');
  question++;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    keep();
    answer();
  }, 250);
}

form.addEventListener('input', typed => {
  touched ||= typed.target.name === 'targetRequestsPerSecond';
  ask();
});
form.addEventListener('submit', submitted => {
  submitted.preventDefault();
  ask();
});

document.addEventListener('redliner:headroom', event => {
  if (touched) return;
  touched = true;
  const peak = event.detail.peak;
  if (peak) form.elements.targetRequestsPerSecond.value = String(Math.ceil(peak.requestsPerSecond));
  answer();
});

begin();
answer();
