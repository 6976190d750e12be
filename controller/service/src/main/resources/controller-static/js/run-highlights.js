// SPDX-License-Identifier: Apache-2.0
// The highlights of a run, whose sentences lead to their moments in the charts: by a press, a key, or an address that somebody sent.
import {byId, show} from './html.js';
import * as tell from './runwords.js';

export class Highlights {

  /** @param lead shows an instant in the charts */
  constructor(lead) {
    this.lead = lead;
    this.wanted = new URLSearchParams(location.search).get('at');
    byId('highlights').addEventListener('click', clicked => this.follow(clicked));
  }

  /** Shows the sentences, or why there are none. While the run is live, the newest stay in sight unless somebody reads earlier ones. */
  show(sentences, live, problem) {
    const place = byId('highlights-place');
    const atEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 2;
    place.toggleAttribute('data-live', live);
    byId('highlights-state').hidden = sentences.length > 0;
    byId('highlights-state').textContent = problem || 'Nothing happened yet.';
    const focused = document.activeElement?.dataset?.at;
    show(byId('highlights'), tell.highlights(sentences));
    if (focused) byId('highlights').querySelector(`[data-at="${CSS.escape(focused)}"]`)?.focus({preventScroll: true});
    if (atEnd) place.scrollTop = place.scrollHeight;
    if (this.wanted && sentences.length) {
      this.lead(this.wanted);
      this.wanted = null;
    }
  }

  follow(clicked) {
    const link = clicked.target.closest('a[data-at]');
    if (!link || clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return;
    clicked.preventDefault();
    const address = new URLSearchParams(location.search);
    address.set('at', link.dataset.at);
    history.replaceState(null, '', location.pathname + '?' + address);
    this.lead(link.dataset.at);
  }
}
