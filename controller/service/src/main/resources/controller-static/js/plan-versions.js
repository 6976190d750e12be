// SPDX-License-Identifier: Apache-2.0
// The versions of a plan, and what differs between one of them and the current one.
import {get, getYaml, wordsOf} from './api.js';
import {diff} from './diff.js';
import {time} from './format.js';
import {byId, html, show} from './html.js';

const TAGS = {'-': line => html`<del>- ${line}</del>`, '+': line => html`<ins>+ ${line}</ins>`, ' ': line => html`<span>  ${line}</span>`};

/** Shows the difference between two texts, each with its name. */
function differences(before, after, old, now) {
  const lines = diff(before, after);
  if (!lines) return html`<p>Too different to compare; this is ${old}.</p><pre class="diff" tabindex="0" role="region" aria-label="${old}">${before}</pre>`;
  if (lines.every(([sign]) => sign === ' ')) return html`<p>They say the same.</p>`;
  return html`<p class="faint">- only in ${old}, + only in ${now}</p><pre class="diff" tabindex="0" role="region" aria-label="Differences">${lines.map(([sign, line]) => TAGS[sign](line))}</pre>`;
}

export class Versions {

  /** @param take is given the text that goes into the editor */
  constructor(path, take) {
    this.path = path;
    this.take = take;
    this.items = [];
    byId('versions').addEventListener('click', clicked => {
      const button = clicked.target.closest('button');
      if (!button) return;
      if (button.dataset.version) this.open(Number(button.dataset.version), true);
      else this.more();
    });
    byId('version').addEventListener('click', clicked => {
      if (clicked.target.closest('[data-take]')) this.take(this.text);
    });
  }

  async look(current, text) {
    this.current = current;
    this.now = text;
    this.items = [];
    this.below = undefined;
    await this.more();
    const wanted = Number(new URLSearchParams(location.search).get('version'));
    if (wanted) this.open(wanted, false);
  }

  async more() {
    try {
      const page = await get(`${this.path}/versions?limit=20${this.below ? '&below=' + this.below : ''}`);
      this.items.push(...page.items);
      this.below = page.nextBelow;
      show(byId('versions'), html`<ul class="list">${this.items.map(one => html`<li class="line"><span>Version ${one.version}${one.current ? ' (current)' : ''}
        <span class="faint" title="${one.hash}">${one.hash.slice(0, 12)}</span></span> <span>${time(one.createdAt)}</span>
        ${one.current ? '' : html`<button type="button" data-version="${one.version}" aria-label="Compare version ${one.version} with the current one">Compare</button>`}</li>`)}</ul>
        ${this.below ? html`<button type="button" data-more>Older versions</button>` : ''}`);
    } catch (failure) {
      show(byId('versions'), html`<p class="problem" role="alert">${wordsOf(failure)}</p>`);
    }
  }

  async open(version, go) {
    const region = byId('version');
    try {
      this.text = await getYaml(`${this.path}?version=${version}&written=true`);
    } catch (failure) {
      return show(region, html`<p class="problem" role="alert">${wordsOf(failure)}</p>`);
    }
    history.replaceState(null, '', '?version=' + version);
    show(region, html`<h3 tabindex="-1">From version ${version} to version ${this.current}</h3>
      ${differences(this.text, this.now, 'version ' + version, 'the current one')}
      <button type="button" data-take>Take version ${version} into the editor</button>`);
    if (go) region.querySelector('h3').focus();
    return undefined;
  }

  /** Shows what differs between the current version and a text that is not saved. */
  unsaved(text) {
    show(byId('version'), html`<h3 tabindex="-1">From version ${this.current} to your text</h3>${differences(this.now, text, 'version ' + this.current, 'your text')}`);
  }
}
