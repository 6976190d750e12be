// SPDX-License-Identifier: Apache-2.0
// A request that was to change something, as a sentence.
import {html} from './html.js';

const link = (path, text) => html`<a href="${path}"><bdi>${text}</bdi></a>`;

const service = name => link('/services/' + encodeURIComponent(name), name);

const plan = name => link('/plans/' + encodeURIComponent(name), name);

const run = ({run: id, service: of}, given) => html`${id || given ? html`<a href="/runs/${encodeURIComponent(id || given)}" aria-label="run ${id || given}">run ${(id || given).slice(0, 8)}</a>` : 'a run'}${of ? html` of ${service(of)}` : ''}`;

/** Method and path, what was done, what was to be done, and to what. */
const SENTENCES = [
  ['POST', /^\/runs$/, 'started', 'start', entry => run(entry)],
  ['POST', /^\/runs\/([^/]+):abort$/, 'stopped', 'stop', run],
  ['POST', /^\/runs\/([^/]+):explain$/, 'said why they stopped', 'say why they stopped', run],
  ['POST', /^\/runs\/([^/]+):pause$/, 'paused', 'pause', run],
  ['POST', /^\/runs\/([^/]+):resume$/, 'resumed', 'resume', run],
  ['POST', /^\/runs\/([^/]+):approve$/, 'approved', 'approve', run],
  ['POST', /^\/series\/([^/]+):abort$/, 'stopped', 'stop', (entry, id) => html`${link('/series/' + encodeURIComponent(id), 'series ' + id.slice(0, 8))}${entry.service ? html` of ${service(entry.service)}` : ''}`],
  ['POST', /^\/plans$/, 'added', 'add', entry => html`a plan${entry.service ? html` of ${service(entry.service)}` : ''}`],
  ['PUT', /^\/plans\/([^/]+)$/, 'saved', 'save', (entry, name) => html`plan ${plan(name)}`],
  ['DELETE', /^\/plans\/([^/]+)$/, 'deleted', 'delete', (entry, name) => html`plan <bdi>${name}</bdi>`],
  ['POST', /^\/kill-switch$/, 'engaged', 'engage', () => html`the <strong>kill switch</strong>`],
  ['DELETE', /^\/kill-switch$/, 'released', 'release', () => html`the <strong>kill switch</strong>`],
  ['POST', /^\/freezes$/, 'froze', 'freeze', entry => entry.service ? service(entry.service) : 'all services'],
  ['DELETE', /^\/freezes\/[^/]+$/, 'ended', 'end', entry => html`a freeze${entry.service ? html` of ${service(entry.service)}` : ''}`],
  ['POST', /^\/schedules\/([^/]+):pause$/, 'paused', 'pause', (entry, name) => html`the schedule of plan ${plan(name)}`],
  ['POST', /^\/schedules\/([^/]+):resume$/, 'resumed', 'resume', (entry, name) => html`the schedule of plan ${plan(name)}`],
  ['PUT', /^\/calendars\/([^/]+)$/, 'stored', 'store', (entry, name) => html`calendar <bdi>${name}</bdi>`],
  ['DELETE', /^\/calendars\/([^/]+)$/, 'deleted', 'delete', (entry, name) => html`calendar <bdi>${name}</bdi>`],
  ['POST', /^\/tokens$/, 'made', 'make', () => 'an API token'],
  ['DELETE', /^\/tokens\/([^/]+)$/, 'revoked', 'revoke', (entry, name) => html`the API token <bdi>${name}</bdi>`],
  ['PUT', /^\/services\/([^/]+)\/owner$/, 'gave an owner to', 'give an owner to', (entry, name) => service(name)],
  ['DELETE', /^\/services\/([^/]+)\/owner$/, 'took the owner from', 'take the owner from', (entry, name) => service(name)],
  ['PUT', /^\/services\/([^/]+)\/harm-budget$/, 'set the harm budget of', 'set the harm budget of', (entry, name) => service(name)],
  ['DELETE', /^\/services\/([^/]+)\/harm-budget$/, 'removed the harm budget of', 'remove the harm budget of', (entry, name) => service(name)],
  ['PUT', /^\/services\/([^/]+)\/instances\/([^/]+)$/, 'described an instance of', 'describe an instance of', (entry, name, address) => html`${service(name)}, <bdi>${address}</bdi>`],
  ['POST', /^\/events\/deployments$/, 'reported', 'report', entry => html`a deployment${entry.service ? html` of ${service(entry.service)}` : ''}`],
  ['POST', /^\/notifications\/[^/]+:retry$/, 'sent', 'send', () => 'a message again'],
  ['POST', /^\/session$/, 'signed in', 'sign in', () => ''],
  ['DELETE', /^\/session$/, 'signed out', 'sign out', () => ''],
];

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What somebody did, or tried to do when it was refused or failed; the request itself where there is no sentence for it. */
export function sentence(entry) {
  const path = entry.resource.replace(/^\/api\/v1/, '');
  for (const [method, pattern, past, infinitive, object] of SENTENCES) {
    const found = entry.method === method && pattern.exec(path);
    if (found) return html`<strong><bdi>${entry.actor}</bdi></strong> ${entry.status < 300 ? past : entry.status === undefined ? 'asked to ' + infinitive : 'tried to ' + infinitive} ${object(entry, ...found.slice(1).map(plain))}`;
  }
  return html`<strong><bdi>${entry.actor}</bdi></strong> sent <code>${entry.method} ${entry.resource}</code>`;
}
